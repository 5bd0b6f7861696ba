"""Safetensors files: a checked header, shards beside an index, rows by memory map."""

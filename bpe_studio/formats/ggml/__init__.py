"""The parts of a GGUF file."""

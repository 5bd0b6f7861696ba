"""The parts of Hugging Face's `tokenizer.json`."""

"""The parts of a SentencePiece model."""

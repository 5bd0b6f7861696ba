"""What every reader stands on: strict JSON, limits, refusals."""

"""What formats that hold only tokens and merges share."""

"""One screen a file, its style sheet beside it."""

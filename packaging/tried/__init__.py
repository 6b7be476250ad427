"""What is tried with the finished files, a story a module."""

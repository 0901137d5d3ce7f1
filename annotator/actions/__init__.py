"""What a person can do to a project; the command line and the screens call the same functions."""

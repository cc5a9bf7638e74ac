"""What operations mean on Python's own objects: the Interpreter's answers to the hooks."""

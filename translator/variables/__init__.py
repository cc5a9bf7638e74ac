"""VariableTrackers: one class for each kind of Python value, a file a family."""

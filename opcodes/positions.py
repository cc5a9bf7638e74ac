"""Where instructions stand in the source: line tables, read and (for what is spliced in) written."""

"""Files of millions of rows as columns in numpy arrays, a block of lines at a time."""

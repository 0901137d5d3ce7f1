"""Files that other tools write and that hold more than one kind of thing."""

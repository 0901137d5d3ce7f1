"""A report as one page: sections of the texts that commands print, and figures of the numbers."""

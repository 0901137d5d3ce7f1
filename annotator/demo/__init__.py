"""The demo's data; where it is from stands in cranfield/PROVENANCE.md."""

"""The grade model: what unjudged documents are likely to be, and what may be claimed from that."""

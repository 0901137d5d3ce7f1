"""From runs to the pairs that are to be judged, and the order in which assessors see them."""

"""What a score, or the difference of two, can still become: searches that measures share."""

"""Grading as a state machine; it knows neither the file nor the screen."""

from __future__ import annotations

from annotator.judging.errors import SavedError
from annotator.judging.ports import JudgingStore, Order
from annotator.judging.session import Session

__all__ = ["JudgingStore", "Order", "SavedError", "Session"]

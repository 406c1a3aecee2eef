"""Heights and frames of whole lists, laid out ahead of time."""

__version__ = "0.5.0"

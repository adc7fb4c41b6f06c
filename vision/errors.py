"""The errors of the vision package, named for what the caller can do about them."""


class VisionError(Exception):
    """The base of everything that the vision package raises."""


class SourceError(VisionError):
    """A video, image or camera cannot be opened or read."""


class LayoutError(VisionError):
    """A table layout file cannot be used."""


class ModelError(VisionError):
    """The card model cannot be used: missing, changed, or of another form."""

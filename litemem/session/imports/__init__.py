"""Session logs of other programs, taken in as ours."""

from litemem.session.imports.detect import FORMATS, Format, detect
from litemem.session.imports.report import FileReport, ImportReport
from litemem.session.imports.take import import_sessions

__all__ = ["FORMATS", "FileReport", "Format", "ImportReport", "detect", "import_sessions"]

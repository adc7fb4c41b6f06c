"""Writes the table of settings in docs/settings.md from the settings themselves.

Run it from the repository's root after a setting was added or changed:

    python scripts/document_settings.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from audit.settings_page import PAGE_MARK, settings_table

PAGE = Path("docs/settings.md")


def main() -> None:
    """Put the table in the place of the one on the page."""
    before, _, _ = PAGE.read_text(encoding="utf-8").partition(PAGE_MARK)
    PAGE.write_text(f"{before}{PAGE_MARK}\n\n{settings_table()}", encoding="utf-8")


if __name__ == "__main__":
    main()

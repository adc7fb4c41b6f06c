"""Reports as JSON lines, for programs: what it is first, then every row, then what it came to."""

import json
from pathlib import Path

from audit.reports.shape import Report
from audit.reports.writing import Rows, Sheet, about_json, json_row


def write_lines(path: Path, report: Report, sheet: Sheet, rows: Rows) -> None:
    """Write a report as JSON lines (UTF-8).

    The first line has the type `report`, the last `end`; in between `row` and `total`, each with
    the key of its section. Moments are UTC, amounts minor units, shares exact fractions.

    Raises:
        ReportCancelledError: It is no longer wanted.
        OSError: The file cannot be written.
    """
    with path.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        file.write(json.dumps(about_json(report, sheet), ensure_ascii=False) + "\n")
        for section in report.sections:
            for values in rows.of(section):
                file.write(json_row(section, values, "row") + "\n")
            total = rows.total_of(section)
            if total is not None:
                file.write(json_row(section, total, "total") + "\n")
        end = {"type": "end", "rows": rows.count, "content": rows.content}
        file.write(json.dumps(end) + "\n")

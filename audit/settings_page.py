"""The settings as a table for the documentation, so that none is ever left out."""

from audit.settings import ENVIRONMENT_PREFIX, Settings

PAGE_MARK = "<!-- The table below is written by scripts/document_settings.py -->"


def settings_table() -> str:
    """Return a Markdown table of all settings: name, variable, default, what it is for."""
    lines = ["| setting | variable | default | what it is for |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = field.get_default()
        shown = "" if default in (None, "") else f"`{_toml(default)}`"
        what = str(field.description).replace("|", "\\|")
        lines.append(f"| `{name}` | `{ENVIRONMENT_PREFIX}{name.upper()}` | {shown} | {what} |")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return f"{value:g}" if isinstance(value, float) else str(value)
        case tuple():
            return f"[{', '.join(_toml(one) for one in value)}]"
        case _:
            return f'"{value}"'

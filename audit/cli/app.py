"""The commands and their options. Each imports what it needs only when it is called."""

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from audit.cli.app_desk import alerts, payouts
from audit.cli.app_evidence import hold, retention
from audit.cli.app_layout import layout as draw_layout
from audit.cli.app_record import db, key
from audit.cli.app_report import HELP as REPORT_HELP
from audit.cli.app_report import report
from audit.cli.app_rules import edge, house, schema
from audit.cli.app_user import user
from audit.cli.options import Data, HouseFile, Json, Layout, Models, Source
from audit.cli.output import print_line

HELP = """\
Watches a casino card table, judges every play, and keeps a record nobody can change.

Every command has --help with examples. Exit codes: 0 done; 1 done, and the thing asked about does
not hold; 2 wrong use or bad input, said in one line. docs/settings.md lists the settings.

\b
Examples:
  pitwatch demo
  pitwatch detect table.jpg
  pitwatch check docs/examples/night.rounds.jsonl
  pitwatch watch rtsp://camera.local/stream --layout T1.layout.toml
  pitwatch serve
"""
"""What `pitwatch --help` says."""

app = typer.Typer(
    name="pitwatch",
    help=HELP,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


app.add_typer(house, name="house")
app.add_typer(db, name="db")
app.add_typer(key, name="key")
app.add_typer(user, name="user")
app.add_typer(payouts, name="payouts")
app.add_typer(alerts, name="alerts", short_help="Check alert policies and webhooks.")
app.add_typer(hold, name="hold", short_help="Place, list and release legal holds.")
app.add_typer(
    retention, name="retention", short_help="How long footage is kept, and what would go."
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print_line(f"pitwatch {version('pitwatch')}")
        raise typer.Exit


@app.callback()
def options(
    *,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def command_names() -> frozenset[str]:
    """Return the names of all commands."""
    commands = {
        info.name or info.callback.__name__ for info in app.registered_commands if info.callback
    }
    return frozenset(commands | {str(group.name) for group in app.registered_groups})


@app.command()
def detect(
    images: Annotated[list[str], typer.Argument(metavar="IMAGE...", help="Images or folders.")],
    models: Models = None,
    json: Json = False,
) -> int:
    """Read the cards on photographs.

    Without --json it writes an annotated picture beside each image, table.jpg.cards.jpg beside
    table.jpg, and prints a short table.

    \b
    Examples:
      pitwatch detect table.jpg
      pitwatch detect photos/ --json > cards.jsonl
    """
    from audit.cli.detect import detect_images

    return detect_images(images, models=models, json=json)


# Its parameters are its options: typer reads them off the signature, so they can't be put together.
@app.command(short_help="Watch a table, and tell and record what happens.")
def watch(
    source: Source,
    layout: Layout,
    feed: Annotated[
        Path | None,
        typer.Option("--feed", metavar="FEED.jsonl", help="Wagers and payouts beside a recording."),
    ] = None,
    house: HouseFile = None,
    data: Data = None,
    models: Models = None,
    json: Json = False,
    realtime: Annotated[
        bool, typer.Option("--realtime", help="Play a file at its own speed, as a camera would.")
    ] = False,
    record: Annotated[
        bool, typer.Option("--record/--no-record", help="Keep what was seen in the record.")
    ] = True,
    second: Annotated[
        str | None,
        typer.Option("--second", metavar="SOURCE", help="Another camera, recorded beside."),
    ] = None,
) -> int:
    """Watch a table: print cards, findings and rounds as they happen, and record them.

    \b
    Examples:
      pitwatch watch datasets/demo/whist.mp4 --layout datasets/demo/whist.layout.toml \\
          --feed datasets/demo/whist.feed.jsonl
      pitwatch watch rtsp://camera.local/stream --layout T1.layout.toml --json
      pitwatch watch rtsp://camera.local/stream --layout T1.layout.toml \\
          --second rtsp://camera-2.local/stream
      pitwatch watch 0 --layout T1.layout.toml --no-record
    """
    from audit.cli.watch import WatchOptions, watch_table

    # fmt: off
    options = WatchOptions(
        source, layout, feed, house, data, models, json, realtime, record, second
    )
    # fmt: on
    return watch_table(options)


app.command(name="layout", short_help="Draw a table layout over a frame, to look at it.")(
    draw_layout
)


@app.command(name="eval", short_help="Watch staged clips; what is told against what was.")
def eval_(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Staged clips, each with its truth.")
    ],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="OUT.html", help="Write a page of failures.")
    ] = None,
    house: HouseFile = None,
    models: Models = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="CLIP", help="Only this clip; repeatable.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only so many clips (default: all).")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="How many clips at a time.")] = 1,
    json: Json = False,
) -> int:
    """Watch staged clips and compare what is told with what really happened in them.

    The clips are made by `python -m vision.training.scenarios`.

    \b
    Examples:
      pitwatch eval datasets/sample
      pitwatch eval datasets/generated/evaluation --html eval.html --jobs 2
      pitwatch eval datasets/generated/evaluation --only evaluation-07 --json
    """
    from audit.cli.eval import EvalOptions, evaluate

    options = EvalOptions(folder, html, house, models, tuple(only or ()), limit, jobs, json)
    return evaluate(options)


@app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE.rounds.jsonl", help="Records; - for stdin.")],
    house: HouseFile = None,
) -> int:
    """Judge round records: one JSON result a line.

    One bad line is reported with its number, the rest are still checked, and the exit code is 2.

    \b
    Examples:
      pitwatch check docs/examples/night.rounds.jsonl
      pitwatch check night.rounds.jsonl --house house.toml > night.results.jsonl
      pitwatch watch table.mp4 --layout T1.layout.toml --json \\
          | jq -c 'select(.type=="round").record' | pitwatch check -
    """
    from audit.cli.check import check_records

    return check_records(file, house=house)


@app.command(short_help="Show everything on bundled footage, with its pages.")
def demo(
    port: Annotated[int, typer.Option(help="The port of the web interface.")] = 8000,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="Where to record it (default: data/demo)."),
    ] = None,
    once: Annotated[
        bool, typer.Option("--once", help="End when the footage has ended (for scripts).")
    ] = False,
    json: Json = False,
) -> int:
    """Show everything on bundled footage: watch it live and open the web interface.

    \b
    Examples:
      pitwatch demo --port 8080
      pitwatch demo --once --json > clip.lines.jsonl
    """
    from audit.cli.demo import run_demo

    return run_demo(port=port, data=data, once=once, json=json)


@app.command()
def serve(
    host: Annotated[
        str | None,
        typer.Option(help="The address to listen on (PITWATCH_HOST; default: 127.0.0.1)."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="The port to listen on (PITWATCH_PORT; default: 8000).")
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(help="Where people reach it, with https:// (default: this machine only)."),
    ] = None,
    cert: Annotated[
        Path | None, typer.Option(help="A TLS certificate chain, PEM (PITWATCH_TLS_CERT).")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="Its private key (PITWATCH_TLS_KEY).")] = None,
    data: Data = None,
    demo: Annotated[bool, typer.Option("--demo", hidden=True)] = False,
) -> int:
    """Serve the web interface over the record.

    The first start prints a one-time link that makes the first administrator. Addresses other than
    this machine's own need TLS: --cert and --key, or a proxy in front and --url.

    \b
    Examples:
      pitwatch serve --data /var/lib/pitwatch --port 8000
      pitwatch serve --host 0.0.0.0 --url https://pitwatch.harbour.example:8000 \\
          --cert pitwatch.crt --key pitwatch.key
    """
    from audit.cli.serve import ServeOptions, serve_web

    return serve_web(ServeOptions(host, port, data, url, cert, key, demo))


@app.command(short_help="Say whether the whole record still holds.")
def verify(data: Data = None, json: Json = False) -> int:
    """Re-read the whole record and say the first thing that does not hold.

    Exit code 0: everything holds. 1: something does not.

    \b
    Example:
      pitwatch verify --data /var/lib/pitwatch
    """
    from audit.cli.verify import verify_record

    return verify_record(data=data, json=json)


app.command(help=REPORT_HELP, short_help="Issue a report as a file, or verify one.")(report)


@app.command(short_help="Put all evidence of a round into one file.")
def bundle(
    round_id: Annotated[str, typer.Argument(metavar="ROUND", help="The round's name.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="F.zip", help="The file (default: ROUND.bundle.zip)."),
    ] = None,
    user: Annotated[
        str | None, typer.Option("--user", help="Who does it; this machine's account otherwise.")
    ] = None,
    data: Data = None,
    json: Json = False,
) -> int:
    """Put all evidence of a round into one file that a stranger can check without pitwatch.

    That it was made is an entry of the record.

    \b
    Examples:
      pitwatch bundle T1-20261130-0042 --out case-17.zip
      unzip case-17.zip -d case-17 && python3 case-17/verify.py
    """
    from audit.cli.bundle import bundle_round

    return bundle_round(round_id, out=out, user=user, data=data, json=json)


app.command()(schema)
app.command()(edge)


@app.command(short_help="Say whether this machine is fit, and what to do.")
def doctor(data: Data = None, models: Models = None) -> int:
    """Check model, record, tables, disk, clock and cameras, and say what to do.

    It changes nothing. Exit code 1: something must be put right.

    \b
    Examples:
      pitwatch doctor
      pitwatch doctor --data /var/lib/pitwatch
    """
    from audit.cli.doctor import examine

    return examine(data=data, models=models)

import argparse
import datetime
import sys

from rota import config, export
from rota.planner import build, repair


def main(argv=None) -> int:
    parser = argparse.ArgumentParser("rota")
    parser.add_argument("command", choices=["plan", "check"])
    parser.add_argument("file")
    parser.add_argument("--from", dest="start", type=datetime.date.fromisoformat)
    parser.add_argument("--weeks", type=int, default=4)
    options = parser.parse_args(argv)
    ward = config.load(options.file)
    if options.command == "check":
        print("settings are fine")
        return 0
    plan = repair.improve(build.handle(ward, options.start, options.weeks), ward)
    for gap in plan.gaps():
        print(f"nobody found for {gap}", file=sys.stderr)
    export.as_csv(plan, sys.stdout)
    return 1 if plan.gaps() else 0

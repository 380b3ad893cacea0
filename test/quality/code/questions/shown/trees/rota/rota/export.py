import csv


def as_csv(plan, out) -> None:
    writer = csv.writer(out)
    writer.writerow(["start", "end", "skill", "name"])
    for shift, person in sorted(plan.assigned.items(), key=lambda pair: pair[0].start):
        writer.writerow([shift.start.isoformat(), shift.end.isoformat(), shift.skill, person.name if person else "OPEN"])


def as_text(plan, width=12) -> str:
    """One column a person, one row a day."""
    people = sorted({p.name for p in plan.assigned.values() if p})
    days = sorted({s.start.date() for s in plan.assigned})
    rows = ["".join(name[: width - 1].ljust(width) for name in ["", *people])]
    for day in days:
        cells = [str(day)]
        for name in people:
            mine = [s for s, p in plan.assigned.items() if p and p.name == name and s.start.date() == day]
            cells.append(f"{mine[0].start:%H}-{mine[0].end:%H}" if mine else "·")
        rows.append("".join(cell.ljust(width) for cell in cells))
    return "\n".join(rows)

def parse(text: str) -> list[dict]:
    """Unfolds long lines first: a line that begins with a blank continues the one before."""
    events, current = [], None
    for line in text.replace("\r\n ", "").replace("\r\n", "\n").split("\n"):
        if line == "BEGIN:VEVENT":
            current = {}
        elif line == "END:VEVENT" and current is not None:
            events.append(current)
            current = None
        elif current is not None and ":" in line:
            key, value = line.split(":", 1)
            current[key.split(";")[0]] = value
    return events

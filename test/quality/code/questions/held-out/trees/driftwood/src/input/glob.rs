/// Only `*` is special, and it never crosses a slash.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (p, n) = (pattern.as_bytes(), name.as_bytes());
    match (p.first(), n.first()) {
        (None, None) => true,
        (Some(b'*'), _) if matches(&pattern[1..], name) => true,
        (Some(b'*'), Some(c)) if *c != b'/' => matches(pattern, &name[1..]),
        (Some(a), Some(b)) if a == b => matches(&pattern[1..], &name[1..]),
        _ => false,
    }
}

/// Values may stand in double quotes; a line with anything that isn't a pair is not ours.
pub fn parse(line: &str) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (key, after) = rest.split_once('=')?;
        if key.is_empty() || key.contains(' ') {
            return None;
        }
        let (value, remaining) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        found.push((key.to_string(), value.to_string()));
        rest = remaining.trim_start();
    }
    Some(found)
}

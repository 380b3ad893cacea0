const MOST: usize = 200;

/// Joins indented lines to the one they belong to, up to a bound: a broken file must not fill the memory.
pub fn join(lines: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let mut count = 0;
    for line in lines {
        match joined.last_mut() {
            Some(last) if line.starts_with([' ', '\t']) && count < MOST => {
                last.push('\n');
                last.push_str(&line);
                count += 1;
            }
            _ => {
                joined.push(line);
                count = 0;
            }
        }
    }
    joined
}

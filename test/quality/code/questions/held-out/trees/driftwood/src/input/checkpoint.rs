use std::collections::BTreeMap;
use std::io;

/// Written beside and then renamed, so that a power cut leaves either the old positions or the new ones.
pub fn save(path: &str, offsets: &BTreeMap<String, u64>) -> io::Result<()> {
    let text: String = offsets.iter().map(|(file, offset)| format!("{offset} {file}\n")).collect();
    let beside = format!("{path}.new");
    std::fs::write(&beside, text)?;
    std::fs::rename(beside, path)
}

pub fn load(path: &str) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(offset, file)| Some((file.to_string(), offset.parse().ok()?)))
        .collect()
}

/// Four bytes of length, eight of number, then the lines; all big endian.
pub fn encode(number: u64, lines: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(12 + lines.len());
    frame.extend_from_slice(&(lines.len() as u32).to_be_bytes());
    frame.extend_from_slice(&number.to_be_bytes());
    frame.extend_from_slice(lines);
    frame
}

pub fn answer(bytes: [u8; 8]) -> u64 {
    u64::from_be_bytes(bytes)
}

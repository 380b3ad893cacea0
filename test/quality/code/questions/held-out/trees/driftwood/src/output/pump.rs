use std::io::{Read, Write};
use std::net::TcpStream;

use super::{backoff::Backoff, frame};
use crate::buffer::spool::Spool;
use crate::config::Config;

pub fn run(config: Config) {
    let mut spool = Spool::new(config.spool_max_mb as usize * 1024 * 1024);
    let mut backoff = Backoff::new();
    loop {
        match handle(&config.collector, &mut spool) {
            Ok(()) => backoff.reset(),
            Err(error) => {
                eprintln!("collector went away: {error}");
                std::thread::sleep(backoff.pause());
            }
        }
    }
}

/// Sends what waits, one frame at a time, and forgets it only when the other side has confirmed.
fn handle(address: &str, spool: &mut Spool) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    while let Some((number, data)) = spool.first() {
        stream.write_all(&frame::encode(*number, data))?;
        let mut bytes = [0u8; 8];
        stream.read_exact(&mut bytes)?;
        spool.acknowledge(frame::answer(bytes));
    }
    Ok(())
}

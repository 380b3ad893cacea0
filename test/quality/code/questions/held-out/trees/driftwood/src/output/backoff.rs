use std::time::Duration;

pub struct Backoff {
    failures: u32,
}

impl Backoff {
    pub fn new() -> Backoff {
        Backoff { failures: 0 }
    }

    /// Spread by the process id, or all machines would knock at the same moment after an outage.
    pub fn pause(&mut self) -> Duration {
        self.failures = (self.failures + 1).min(7);
        let spread = u64::from(std::process::id() % 250);
        Duration::from_millis(250 * 2u64.pow(self.failures) + spread)
    }

    pub fn reset(&mut self) {
        self.failures = 0;
    }
}

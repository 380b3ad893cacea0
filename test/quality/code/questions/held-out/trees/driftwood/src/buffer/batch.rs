use std::time::{Duration, Instant};

pub struct Batch {
    lines: Vec<String>,
    since: Instant,
    most: usize,
    wait: Duration,
}

impl Batch {
    pub fn new(most: usize, wait: Duration) -> Batch {
        Batch { lines: Vec::new(), since: Instant::now(), most, wait }
    }

    pub fn push(&mut self, line: String) {
        if self.lines.is_empty() {
            self.since = Instant::now();
        }
        self.lines.push(line);
    }

    /// Hands the lines over once there are enough of them or the eldest has waited long enough.
    pub fn take_if_due(&mut self) -> Option<Vec<String>> {
        let due = self.lines.len() >= self.most || (!self.lines.is_empty() && self.since.elapsed() >= self.wait);
        due.then(|| std::mem::take(&mut self.lines))
    }
}

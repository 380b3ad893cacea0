use std::sync::atomic::{AtomicU64, Ordering};

pub static LINES_READ: AtomicU64 = AtomicU64::new(0);
pub static BATCHES_SENT: AtomicU64 = AtomicU64::new(0);

pub fn render() -> String {
    format!(
        "driftwood_lines_read_total {}\ndriftwood_batches_sent_total {}\n",
        LINES_READ.load(Ordering::Relaxed),
        BATCHES_SENT.load(Ordering::Relaxed)
    )
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

/// Understands the spellings of several loggers, and the numbers of syslog.
pub fn guess(text: &str) -> Level {
    match text.to_ascii_lowercase().as_str() {
        "0" | "1" | "2" | "3" | "error" | "err" | "fatal" | "critical" | "panic" => Level::Error,
        "4" | "warn" | "warning" => Level::Warn,
        "7" | "debug" | "trace" | "fine" => Level::Debug,
        _ => Level::Info,
    }
}

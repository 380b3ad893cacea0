use crate::parse::level::Level;

/// Every warning is kept; of chatter only one in so many survives.
pub fn keep(level: Level, number: u64, one_in: u64) -> bool {
    level >= Level::Warn || number % one_in.max(1) == 0
}

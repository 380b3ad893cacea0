pub mod checkpoint;
pub mod glob;
pub mod multiline;
pub mod tail;

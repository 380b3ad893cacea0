pub mod backoff;
pub mod frame;
pub mod pump;

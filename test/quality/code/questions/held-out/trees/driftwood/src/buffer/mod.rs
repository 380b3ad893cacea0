pub mod batch;
pub mod spool;

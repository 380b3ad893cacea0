pub mod mask;
pub mod sample;

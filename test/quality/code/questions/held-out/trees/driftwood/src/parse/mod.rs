pub mod level;
pub mod pairs;
pub mod timestamp;

#[derive(Debug, Default, Clone)]
pub struct Record {
    pub fields: Vec<(String, String)>,
}

pub fn parse(line: &str) -> Record {
    match pairs::parse(line) {
        Some(fields) => Record { fields },
        None => Record { fields: vec![("message".into(), line.into())] },
    }
}

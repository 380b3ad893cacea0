use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    pub watch: String,
    pub collector: String,
    pub batch_lines: usize,
    pub batch_wait_ms: u64,
    pub spool_max_mb: u64,
    pub mask: Vec<String>,
}

#[derive(Debug, PartialEq)]
pub enum ConfigError {
    Missing(&'static str),
    NotANumber(String),
    Unreadable(String),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ConfigError::Missing(key) => write!(f, "{key} is needed"),
            ConfigError::NotANumber(key) => write!(f, "{key} is not a number"),
            ConfigError::Unreadable(why) => write!(f, "{why}"),
        }
    }
}

impl Config {
    pub fn load(path: &str) -> Result<Config, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|e| ConfigError::Unreadable(e.to_string()))?;
        Config::parse(&text)
    }

    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        let find = |key: &str| {
            text.lines()
                .filter_map(|line| line.split_once('='))
                .find(|(name, _)| name.trim() == key)
                .map(|(_, value)| value.trim().to_string())
        };
        let number = |key: &str, otherwise: u64| match find(key) {
            None => Ok(otherwise),
            Some(text) => text.parse().map_err(|_| ConfigError::NotANumber(key.to_string())),
        };
        Ok(Config {
            watch: find("watch").ok_or(ConfigError::Missing("watch"))?,
            collector: find("collector").ok_or(ConfigError::Missing("collector"))?,
            batch_lines: number("batch_lines", 200)? as usize,
            batch_wait_ms: number("batch_wait_ms", 1000)?,
            spool_max_mb: number("spool_max_mb", 128)?,
            mask: find("mask").map(|list| list.split(',').map(str::to_string).collect()).unwrap_or_default(),
        })
    }
}

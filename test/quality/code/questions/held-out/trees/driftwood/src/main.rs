mod buffer;
mod config;
mod input;
mod metrics;
mod output;
mod parse;
mod transform;

fn main() {
    let path = std::env::args().nth(1).unwrap_or_else(|| "driftwood.ini".into());
    let config = match config::Config::load(&path) {
        Ok(config) => config,
        Err(error) => {
            eprintln!("settings are wrong: {error}");
            std::process::exit(2);
        }
    };
    output::pump::run(config);
}

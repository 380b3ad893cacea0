use crate::parse::Record;

pub fn apply(record: &mut Record, names: &[String]) {
    for (key, value) in &mut record.fields {
        if names.iter().any(|name| key.eq_ignore_ascii_case(name)) || looks_like_card(value) {
            *value = "***".into();
        }
    }
}

/// The Luhn sum of thirteen to nineteen digits.
fn looks_like_card(value: &str) -> bool {
    let digits: Vec<u32> = value.chars().filter(|c| !matches!(c, ' ' | '-')).map_while(|c| c.to_digit(10)).collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, d)| if i % 2 == 0 { *d } else if d * 2 > 9 { d * 2 - 9 } else { d * 2 })
        .sum();
    (13..=19).contains(&digits.len()) && sum % 10 == 0
}

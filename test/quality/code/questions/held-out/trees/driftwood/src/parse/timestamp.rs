/// Days since 1970 of a Gregorian date, by counting from March so that the leap day comes last.
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

pub fn seconds(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let date = days(number(0, 4)?, number(5, 7)?, number(8, 10)?);
    Some(date * 86_400 + number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?)
}

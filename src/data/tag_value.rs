//! The values of tags as numbers, dates and times.

use super::column::TagKind;

/// The value of a tag of this kind; `None` if it is no such value.
pub(super) fn read(value: &[u8], kind: TagKind) -> Option<i64> {
    let text = std::str::from_utf8(value).ok()?.trim();
    match kind {
        TagKind::Text => None,
        TagKind::Integer => text.parse().ok(),
        TagKind::Date => date(text),
        TagKind::Time => time(text),
    }
}

/// The days since 1970-01-01 of `1992.11.04`; `-` and `/` are also separators.
fn date(text: &str) -> Option<i64> {
    let mut parts = text.split(['.', '-', '/']);
    let year = parts.next().filter(|year| year.len() == 4);
    let mut part = |most| number(parts.next()?, most);
    let (year, month, day) = (number(year?, 9999)?, part(12)?, part(31)?);
    if parts.next().is_some() || year == 0 || month == 0 || day == 0 {
        return None;
    }
    (day <= days_of(year, month)).then(|| days_before(year, month) + day - 1)
}

/// The seconds since midnight of `23:05:59`.
fn time(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let mut part = |most| number(parts.next()?, most);
    let (hours, minutes, seconds) = (part(23)?, part(59)?, part(59)?);
    let seconds = (60 * hours + minutes) * 60 + seconds;
    parts.next().is_none().then_some(seconds)
}

fn number(text: &str, most: i64) -> Option<i64> {
    let most_digits = if most > 99 { 4 } else { 2 };
    let is_number =
        (1..=most_digits).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| *number <= most);
    number.filter(|_| is_number)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days from 1970-01-01 to the first day of a month in the Gregorian calendar.
fn days_before(year: i64, month: i64) -> i64 {
    let before = year - 1;
    let leap_days = before / 4 - before / 100 + before / 400;
    let months: i64 = (1..month).map(|month| days_of(year, month)).sum();
    // 719,162 days lie between 0001-01-01 and 1970-01-01.
    365 * before + leap_days + months - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_since_1970() {
        for (text, days) in [
            ("1970.01.01", Some(0)),
            ("1970-01-02", Some(1)),
            ("1969.12.31", Some(-1)),
            ("2000.02.29", Some(11_016)),
            ("1858.10.21", Some(-40_614)),
            ("2026/11/25", Some(20_782)),
            ("1900.02.29", None),
            ("2001.2.30", None),
            ("2010.05.??", None),
            ("2010.05", None),
            ("92.11.04", None),
            ("1992.0011.04", None),
            ("2010.0.1", None),
            ("2010.05.17.1", None),
            ("", None),
        ] {
            assert_eq!(read(text.as_bytes(), TagKind::Date), days, "{text}");
        }
    }

    #[test]
    fn times_and_integers_are_read() {
        let time = |text: &str| read(text.as_bytes(), TagKind::Time);
        assert_eq!(time("00:00:00"), Some(0));
        assert_eq!(time("23:59:59"), Some(86_399));
        assert_eq!(
            [time("24:00:00"), time("1:2"), time("x"), time("1:1:1:1")],
            [None; 4]
        );
        let integer = |text: &str| read(text.as_bytes(), TagKind::Integer);
        assert_eq!(integer(" 2700 "), Some(2700));
        assert_eq!(integer("+12"), Some(12));
        assert_eq!([integer("?"), integer(""), integer("2700a")], [None; 3]);
    }
}

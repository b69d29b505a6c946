//! Sizes and counts as arguments.

/// Parses a count of at least 1.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("must be 1 or more".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("is not a whole number of 1 or more".to_owned()),
    }
}

/// Parses a size: a number with an optional unit.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a size: write 500k, 10M or 1G");
    let digits = text.trim_end_matches(|char: char| !char.is_ascii_digit());
    let unit = text.get(digits.len()..).unwrap_or_default();
    let unit = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let bytes = number.checked_mul(unit).filter(|bytes| *bytes > 0);
    bytes.ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_begin_with_1() {
        assert_eq!(positive("7"), Ok(7));
        for text in ["", "0", "-1", "x", "1.5"] {
            assert!(positive(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in [
            ("7", 7),
            ("500k", 512_000),
            ("2M", 2 << 20),
            ("1GiB", 1 << 30),
        ] {
            assert_eq!(size(text), Ok(bytes));
        }
        for text in ["", "0", "M", "-1", "1x", "1.5M", "99999999999G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}

//! Dates with unknown parts.

/// The range of days that a date may denote, as numbers such as 20240131.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Days {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl Days {
    /// Parses `2010`, `2010.05`, `2010.05.??` and the like; `-` and `/` are
    /// also separators. Returns `None` if the year is unknown.
    pub(crate) fn read(text: &str) -> Option<Days> {
        let mut parts = text.trim_ascii().split(['.', '-', '/']);
        let year = part(parts.next()?, 9999)??;
        let month = parts.next().map_or(Some(None), |text| part(text, 12))?;
        let day = parts.next().map_or(Some(None), |text| part(text, 31))?;
        if parts.next().is_some() {
            return None;
        }
        let day = day.filter(|_| month.is_some());
        let number = |month: u32, day: u32| 10_000 * year + 100 * month + day;
        Some(Days {
            first: number(month.unwrap_or(1), day.unwrap_or(1)),
            last: number(month.unwrap_or(12), day.unwrap_or(31)),
        })
    }

    /// Whether a text is a date, of which all parts may be unknown.
    pub(crate) fn is_well_formed(text: &str) -> bool {
        let mut parts = text.trim_ascii().split(['.', '-', '/']);
        let is_part = |most| parts.next().is_none_or(|text| part(text, most).is_some());
        let are_parts = [9999, 12, 31].map(is_part);
        are_parts == [true; 3] && parts.next().is_none()
    }

    /// Whether the range lies within another.
    pub(crate) fn are_among(self, others: Days) -> bool {
        others.first <= self.first && self.last <= others.last
    }

    /// The year.
    pub(crate) fn year(self) -> u32 {
        self.first / 10_000
    }

    /// The month, if it is known.
    pub(crate) fn month(self) -> Option<u32> {
        let [first, last] = [self.first, self.last].map(|day| day / 100 % 100);
        (first == last).then_some(first)
    }
}

/// Parses a part of a date. The inner `None` is an unknown part.
fn part(text: &str, most: u32) -> Option<Option<u32>> {
    if !text.is_empty() && text.bytes().all(|byte| byte == b'?') {
        return Some(None);
    }
    let is_number = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|number| *number <= most);
    // Some files have 00 for unknown parts.
    number
        .filter(|_| is_number)
        .map(|number| (number > 0).then_some(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_unknown_parts_are_well_formed() {
        for text in [
            "2010.05.17",
            "????.??.??",
            "????.05.??",
            "0000.00.00",
            "?",
            "2010",
            "1.2.3",
        ] {
            assert!(Days::is_well_formed(text), "{text}");
        }
        for text in [
            "2011.19.11",
            "May 2010",
            "",
            "2010.05.17.1",
            "2010.05.32",
            "2010..1",
        ] {
            assert!(!Days::is_well_formed(text), "{text}");
        }
    }

    #[test]
    fn unknown_parts_are_all_that_they_may_be() {
        for (text, days) in [
            ("2010.05.17", Some((20_100_517, 20_100_517))),
            ("2010-05-17", Some((20_100_517, 20_100_517))),
            ("2010.05.??", Some((20_100_501, 20_100_531))),
            ("2010.??.17", Some((20_100_101, 20_101_231))),
            ("2010", Some((20_100_101, 20_101_231))),
            ("1851.0.0", Some((18_510_101, 18_511_231))),
            ("????.??.??", None),
            ("0.1.1", None),
            ("2010.13.01", None),
            ("2010.1.1.1", None),
            ("May 2010", None),
            ("", None),
        ] {
            let read = Days::read(text).map(|days| (days.first, days.last));
            assert_eq!(read, days, "{text}");
        }
    }
}

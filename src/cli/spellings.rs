//! Spellings of players' names as CSV.

use crate::Aliases;
use csv::{ReaderBuilder, StringRecord, Trim};

/// Spellings, and what is odd about the lines that they are from.
#[derive(Debug)]
pub(super) struct Spellings {
    pub(super) aliases: Aliases,
    pub(super) warnings: Vec<String>,
}

/// The first line of a kind, and the number of all such lines.
#[derive(Default)]
struct OddLines {
    first: Option<String>,
    count: usize,
}

impl OddLines {
    fn push(&mut self, number: usize, what: &str) {
        self.first
            .get_or_insert_with(|| format!("line {number}: {what}"));
        self.count += 1;
    }

    fn warning(self) -> Option<String> {
        let first = self.first?;
        Some(match self.count {
            1 => first,
            count => format!("{first} ({count} such lines)"),
        })
    }
}

const UNQUOTED: &str = "\
    a comma before a blank, or a semicolon: spellings are separated by commas, and a name that \
    contains a comma is quoted: \"Kasparov, Garry\",\"Kasparov,G\"";

/// Reads a name and its other spellings from each line. The error is the number of a line that is
/// not of this form.
pub(super) fn of_csv(text: &str) -> Result<Spellings, usize> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut aliases = Aliases::default();
    let (mut unquoted, mut repeated) = (OddLines::default(), OddLines::default());
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let spellings = spellings(line).ok_or(number)?;
        if lacks_quotes(line) {
            unquoted.push(number, UNQUOTED);
        }
        if let Some(what) = insert(&mut aliases, &spellings) {
            repeated.push(number, &what);
        }
    }
    let warnings = [unquoted, repeated].into_iter();
    Ok(Spellings {
        aliases,
        warnings: warnings.filter_map(OddLines::warning).collect(),
    })
}

/// The spellings of a line: at least two, none with control characters.
fn spellings(line: &str) -> Option<StringRecord> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .trim(Trim::All)
        .from_reader(line.as_bytes());
    let spellings = reader.records().next()?.ok()?;
    let is_closed = line.matches('"').count().is_multiple_of(2);
    let has_control = |spelling: &str| spelling.chars().any(char::is_control);
    let is_list = is_closed && spellings.len() >= 2 && !spellings.iter().any(has_control);
    is_list.then_some(spellings)
}

/// Whether a comma before a blank, or a semicolon, is not in quotes.
fn lacks_quotes(line: &str) -> bool {
    let mut outside = line.split('"').step_by(2);
    outside.any(|text| text.contains(';') || text.contains(", "))
}

/// Adds a name and its spellings. Returns what is wrong if one is listed under another name too.
fn insert(aliases: &mut Aliases, spellings: &StringRecord) -> Option<String> {
    let name = spellings.get(0).unwrap_or_default();
    let mut repeated = None;
    for spelling in spellings {
        let before = aliases.name_of(spelling).map(str::to_owned);
        aliases.insert(name, spelling);
        let own = aliases.name_of(name);
        let other = before.filter(|before| own.is_some_and(|own| own != before));
        let describe = |other| format!("{spelling:?} is listed under {other:?} and under {name:?}");
        repeated = repeated.or(other.map(describe));
    }
    repeated
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(text: &str) -> Vec<String> {
        of_csv(text).unwrap().warnings
    }

    #[test]
    fn odd_lines_are_named() {
        let fine = "\"Tal, Mihail\",\"Tal, M; x\",\"say \"\"a, b\"\"\"\r\n\r\nKeres,Paul Keres\n";
        assert_eq!(warnings(fine), [""; 0]);
        for text in [
            "a,b\n\nTal, M,Tal M\n",
            "a,b\r\rTal;x,y\r",
            "\n\n\"Tal, M\", \"Tal M\"",
        ] {
            assert_eq!(warnings(text), [format!("line 3: {UNQUOTED}")], "{text}");
        }
        let [warning] = &warnings("a, b\nc; d,e\n")[..] else {
            panic!("one warning");
        };
        assert!(warning.ends_with(" (2 such lines)"), "{warning}");
    }

    #[test]
    fn spellings_of_two_names_are_named() {
        let two = "line 3: \"smith\" is listed under \"John\" and under \"Jane\"";
        assert_eq!(warnings("John,Smith\n\nJane,smith\n"), [two]);
        let own = "line 2: \"Smith\" is listed under \"John\" and under \"Smith\"";
        assert_eq!(warnings("John,Smith\nSmith,Smyth\n"), [own]);
        assert_eq!(warnings("John,Smith,smith\nJohn,Smith\n"), [""; 0]);
    }

    #[test]
    fn errors_name_the_line() {
        for text in ["\n\nKeres\n", "a,b\r\n\r\nc,\"d\r\n", "a,b\n\nc,\0\n"] {
            assert_eq!(of_csv(text).unwrap_err(), 3, "{text:?}");
        }
    }
}

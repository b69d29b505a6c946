//! File names that are safe on all systems, and distinct on all of them.

use crate::safe_name;
use std::collections::{HashMap, HashSet};

/// The maximum length of a name in bytes.
const MAX_NAME_BYTES: usize = 255;
/// Bytes reserved for a number.
const NUMBER_BYTES: usize = 16;

/// Assigns names.
pub(super) struct FileNames {
    extension: &'static str,
    /// In lower case, because some systems ignore case.
    taken: HashSet<String>,
    /// The number that each name got last, so that many equal names take linear time.
    numbers: HashMap<String, u64>,
}

impl FileNames {
    pub(super) fn new(extension: &'static str) -> FileNames {
        FileNames {
            extension,
            taken: HashSet::new(),
            numbers: HashMap::new(),
        }
    }

    /// A name as close to the text as possible. A name that is taken gets a number.
    pub(super) fn take(&mut self, text: &str) -> String {
        let stem = safe_stem(text, MAX_NAME_BYTES - NUMBER_BYTES - self.extension.len());
        let number = self.numbers.entry(stem.to_lowercase()).or_insert(0);
        loop {
            *number += 1;
            let name = match *number {
                1 => format!("{stem}{}", self.extension),
                number => format!("{stem} ({number}){}", self.extension),
            };
            if self.taken.insert(name.to_lowercase()) {
                return name;
            }
        }
    }
}

/// A text as part of a name, of at most `most` bytes.
fn safe_stem(text: &str, max_bytes: usize) -> String {
    let mut stem = text.trim().replace(['/', '\\'], "_");
    if stem.len() > max_bytes {
        let cut = stem.floor_char_boundary(max_bytes);
        stem.truncate(cut);
    }
    // Names that begin with a dot are hidden, and those with a dash look like options.
    if stem.starts_with(['.', '-']) {
        stem.replace_range(..1, "_");
    }
    match stem.is_empty() {
        true => "_".to_owned(),
        // `safe_name` replaces what is not allowed at the end.
        false => safe_name(&stem),
    }
}

/// The name of one of at most `most` numbered files.
pub(super) fn numbered(stem: &str, number: u64, file_count: u64, extension: &str) -> String {
    let stem = safe_stem(stem, MAX_NAME_BYTES - NUMBER_BYTES * 2);
    let width = file_count.to_string().len();
    format!("{stem}-{number:0width$}{extension}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unsafe_name;

    #[test]
    fn names_are_safe_and_differ() {
        let mut names = FileNames::new(".pgn");
        for (text, name) in [
            ("Linares", "Linares.pgn"),
            ("LINARES", "LINARES (2).pgn"),
            ("linares (2)", "linares (2) (2).pgn"),
            ("linares", "linares (3).pgn"),
            ("a/b\\c", "a_b_c.pgn"),
            ("../x", "_._x.pgn"),
            ("con", "_con.pgn"),
            ("what? \"no\"", "what_ _no_.pgn"),
            ("", "_.pgn"),
            ("..", "__.pgn"),
            ("end.", "end_.pgn"),
        ] {
            let taken = names.take(text);
            assert_eq!(taken, name, "{text:?}");
            assert_eq!(unsafe_name(&taken), None);
        }
        let long = names.take(&"ä".repeat(300));
        assert!(long.len() <= 255 && long.ends_with("ä.pgn"), "{long}");
    }

    #[test]
    fn many_equal_names_take_linear_time() {
        let mut names = FileNames::new(".pgn");
        let all: HashSet<String> = (0..200_000).map(|_| names.take("x")).collect();
        assert_eq!(all.len(), 200_000);
    }

    #[test]
    fn numbers_have_one_width() {
        assert_eq!(numbered("games", 7, 120, ".pgn"), "games-007.pgn");
        assert_eq!(numbered("games", 7, 7, ".pgna"), "games-7.pgna");
    }
}

//! Names of sources: relative paths with `/` that are safe to write to on all
//! common systems. A `\` in a name is an ordinary character, as on Unix; where it separates
//! folders, another character takes its place in the path.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::is_separator;

/// Device names that Windows reserves, with or without an extension.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];
const RESERVED_NUMBERED: [&str; 2] = ["com", "lpt"];
/// The maximum length of a name, in bytes.
pub(crate) const MAX_NAME_BYTES: usize = 4096;

/// The reason why a name is not safe to write to; `None` if it is safe.
pub fn unsafe_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("it is empty");
    }
    if name.len() > MAX_NAME_BYTES {
        return Some("it is too long");
    }
    name.split('/').find_map(unsafe_component)
}

fn unsafe_component(component: &str) -> Option<&'static str> {
    if component.is_empty() {
        Some("it is absolute or has an empty part")
    } else if leaves_folder(component) {
        Some("it leaves its folder")
    } else if component.chars().any(is_unsafe_char) {
        Some("it has a character that not every system allows")
    } else if component.ends_with(['.', ' ']) {
        Some("a part of it ends with a dot or a blank")
    } else if is_reserved(component) {
        Some("a part of it is a device name")
    } else {
        None
    }
}

/// Whether a part leaves its folder for a program that takes `\` for a separator.
fn leaves_folder(component: &str) -> bool {
    let mut parts = component.split('\\');
    parts.any(|part| matches!(part, "." | ".."))
}

fn is_unsafe_char(char: char) -> bool {
    char.is_control() || matches!(char, '<' | '>' | ':' | '"' | '|' | '?' | '*')
}

/// The path of the file with this name on this system, with `/`.
pub(crate) fn local_path(name: &str) -> Cow<'_, str> {
    match is_separator('\\') {
        true => Cow::Owned(without_backslashes(name)),
        false => Cow::Borrowed(name),
    }
}

/// The path of the file with this name where `\` separates folders.
fn without_backslashes(name: &str) -> String {
    name.replace('\\', "_")
}

/// What two names have in common that refer to the same file on any system: some ignore
/// case, on some `\` is replaced.
pub(crate) fn name_key(name: &str) -> String {
    without_backslashes(&name.to_lowercase())
}

fn is_reserved(component: &str) -> bool {
    let stem = component
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_lowercase();
    let is_numbered = |prefix: &&str| {
        let number = stem.strip_prefix(*prefix).unwrap_or_default();
        number.len() == 1 && number.chars().all(|digit| digit.is_ascii_digit())
    };
    RESERVED.contains(&stem.as_str()) || RESERVED_NUMBERED.iter().any(is_numbered)
}

/// A safe name that is as similar as possible to `name`.
pub fn safe_name(name: &str) -> String {
    let components = name
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."));
    let safe: Vec<String> = components.map(safe_component).collect();
    let joined = safe.join("/");
    match unsafe_name(&joined) {
        None => joined,
        Some(_) => "unnamed.pgn".to_owned(),
    }
}

fn safe_component(component: &str) -> String {
    let component = match leaves_folder(component) {
        true => &without_backslashes(component),
        false => component,
    };
    let mut safe: String = component
        .chars()
        .map(|char| if is_unsafe_char(char) { '_' } else { char })
        .collect();
    if safe.ends_with(['.', ' ']) {
        safe.pop();
        safe.push('_');
    }
    if is_reserved(&safe) {
        safe.insert(0, '_');
    }
    safe
}

/// The names of the sources of an archive. No two refer to the same file on any
/// system.
#[derive(Debug, Default)]
pub(crate) struct TakenNames {
    /// By [`name_key`], so that they differ on any file system.
    taken: HashSet<String>,
    /// The folders of the names, by the same key.
    folders: HashSet<String>,
    /// For names that had to be numbered, by the same key, the number to try
    /// next. It makes numbering many equal names linear.
    next: HashMap<(String, bool), u64>,
}

impl TakenNames {
    /// Collects the names of existing sources.
    pub(crate) fn of<'s>(names: impl Iterator<Item = &'s str>) -> TakenNames {
        let mut taken = TakenNames::default();
        names.for_each(|name| taken.add(name));
        taken
    }

    fn add(&mut self, name: &str) {
        let lower = name_key(name);
        self.folders.extend(parents(&lower).map(str::to_owned));
        self.taken.insert(lower);
    }

    /// Reserves a name, or a similar one that is free.
    pub(crate) fn reserve(&mut self, name: &str) -> String {
        let name = self.free_path(name);
        self.add(&name);
        name
    }

    /// Inserts numbers into the name where one of its folders has the name of a
    /// file, or where it is taken itself.
    fn free_path(&mut self, name: &str) -> String {
        let mut parts = name.split('/').peekable();
        let mut path = String::new();
        while let Some(part) = parts.next() {
            let is_file = parts.peek().is_none();
            path = self.free_name(&format!("{path}{part}"), is_file);
            if !is_file {
                path.push('/');
            }
        }
        path
    }

    /// Inserts ` (2)` and so on before the extension until the name is free.
    fn free_name(&mut self, name: &str, is_file: bool) -> String {
        if self.is_free(name, is_file) {
            return name.to_owned();
        }
        let (stem, extension) = split_extension(name);
        let key = (name_key(name), is_file);
        let first = self.next.get(&key).copied().unwrap_or(2);
        for number in first.. {
            let numbered = format!("{stem} ({number}){extension}");
            if self.is_free(&numbered, is_file) {
                // A folder may hold many files, so its number is used again.
                let next = number.saturating_add(u64::from(is_file));
                self.next.insert(key, next);
                return numbered;
            }
        }
        name.to_owned()
    }

    fn is_free(&self, name: &str, is_file: bool) -> bool {
        let name = name_key(name);
        let is_taken = self.taken.contains(&name);
        !(is_taken || (is_file && self.folders.contains(&name)))
    }
}

/// The folders that contain a name.
fn parents(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('/')
        .filter_map(|(slash, _)| name.get(..slash))
}

fn split_extension(name: &str) -> (&str, &str) {
    let dot = name
        .rfind('.')
        .filter(|dot| !name.get(*dot..).unwrap_or_default().contains('/'));
    name.split_at_checked(dot.unwrap_or(name.len()))
        .unwrap_or((name, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_names_stay() {
        for name in [
            "a.pgn",
            "2024/jan.pgn",
            "Tal – best games.pgn",
            ".hidden",
            "console.pgn",
            "com10",
            "a\\b.pgn",
            "\\a\\\\b/c\\",
            "..a\\b..c",
        ] {
            assert_eq!(unsafe_name(name), None, "{name}");
            assert_eq!(safe_name(name), name);
        }
    }

    #[test]
    fn unsafe_names_become_safe() {
        for (name, safe) in [
            ("/etc/passwd", "etc/passwd"),
            ("../../x.pgn", "x.pgn"),
            ("a//b", "a/b"),
            ("..\\b", ".._b"),
            ("a\\.\\b/c\\..", "a_._b/c_._"),
            ("a:\\b", "a_\\b"),
            ("C:x", "C_x"),
            ("nul.pgn", "_nul.pgn"),
            ("LPT1", "_LPT1"),
            ("dots...", "dots.._"),
            ("a\nb", "a_b"),
            ("", "unnamed.pgn"),
            ("..", "unnamed.pgn"),
        ] {
            assert!(unsafe_name(name).is_some(), "{name}");
            assert_eq!(safe_name(name), safe);
            assert_eq!(unsafe_name(safe), None);
        }
    }

    #[test]
    fn equal_names_are_numbered() {
        let mut names = TakenNames::of(["a.pgn", "A (2).pgn", "b.c/d"].into_iter());
        for (name, free) in [
            ("a.pgn", "a (3).pgn"),
            ("A.pgn", "A (4).pgn"),
            ("b.c/d", "b.c/d (2)"),
            ("b.c", "b (2).c"),
            ("x", "x"),
            ("x/y", "x (2)/y"),
            ("x/z", "x (2)/z"),
            ("p\\q", "p\\q"),
            ("P_q", "P_q (2)"),
        ] {
            assert_eq!(names.reserve(name), free);
        }
    }

    #[test]
    fn backslashes_separate_no_folders() {
        assert_eq!(without_backslashes("a/b\\..\\c"), "a/b_.._c");
        let local = match is_separator('\\') {
            true => "a/b_c",
            false => "a/b\\c",
        };
        assert_eq!(local_path("a/b\\c"), local);
    }
}

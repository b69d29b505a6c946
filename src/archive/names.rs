//! Names of sources: relative paths with `/` that are safe to write to on every
//! common system.

/// Device names that Windows reserves, with or without an extension.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];
const RESERVED_NUMBERED: [&str; 2] = ["com", "lpt"];
/// Longest name in bytes.
pub(super) const MAX_NAME_BYTES: usize = 4096;

/// Why a name is not safe to write to; `None` if it is.
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
    } else if component == "." || component == ".." {
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

fn is_unsafe_char(char: char) -> bool {
    char.is_control() || matches!(char, '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\\')
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

/// A safe name that is as close as possible to `name`.
pub fn safe_name(name: &str) -> String {
    let components = name
        .split(['/', '\\'])
        .filter(|part| !matches!(*part, "" | "." | ".."));
    let safe: Vec<String> = components.map(safe_component).collect();
    let joined = safe.join("/");
    match unsafe_name(&joined) {
        None => joined,
        Some(_) => "unnamed.pgn".to_owned(),
    }
}

fn safe_component(component: &str) -> String {
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

/// Inserts ` (2)` and so on before the extension until the name is free.
pub(super) fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let dot = name
        .rfind('.')
        .filter(|dot| !name.get(*dot..).unwrap_or_default().contains('/'));
    let (stem, extension) = name
        .split_at_checked(dot.unwrap_or(name.len()))
        .unwrap_or((name, ""));
    let numbered = (2u64..).map(|number| format!("{stem} ({number}){extension}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|candidate| !is_taken(candidate))
        .unwrap_or_default()
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
            ("a\\b", "a/b"),
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
        let taken = ["a.pgn", "a (2).pgn", "b.c/d"];
        let is_taken = |name: &str| taken.contains(&name);
        assert_eq!(free_name("a.pgn", is_taken), "a (3).pgn");
        assert_eq!(free_name("b.c/d", is_taken), "b.c/d (2)");
        assert_eq!(free_name("x", is_taken), "x");
    }
}

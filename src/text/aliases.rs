//! The spellings of players' names.

use super::fold::fold;
use std::collections::HashMap;

/// Spellings of players' names, each with the name that it stands for.
///
/// Spellings are compared word by word, without regard to case, accents and punctuation, and a
/// name with a comma also without it and the other way round: `Tal, Mihail` is `tal mihail` and
/// `Mihail Tal`.
///
/// ```
/// use pgna::Aliases;
///
/// let mut aliases = Aliases::default();
/// aliases.insert("Kasparov, Garry", "Kasparov,G");
/// assert_eq!(aliases.name_of("kasparov g."), Some("Kasparov, Garry"));
/// assert_eq!(aliases.name_of("Garry Kasparov"), Some("Kasparov, Garry"));
/// assert_eq!(aliases.name_of("Karpov"), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aliases {
    names: Vec<String>,
    /// The index of the name of each spelling.
    spellings: HashMap<String, usize>,
}

impl Aliases {
    /// Adds a spelling of a name, and the name itself; a name without letters and digits has none. A
    /// spelling that is known already stays that of its first name, but a name is its own spelling
    /// even if it was one of another name.
    pub fn insert(&mut self, name: &str, spelling: &str) {
        let own = words(name);
        if own.is_empty() {
            return;
        }
        let known = self.spellings.get(&own).copied();
        let is_own = |index: &usize| {
            self.names
                .get(*index)
                .is_some_and(|name| words(name) == own)
        };
        let index = known.filter(is_own).unwrap_or_else(|| {
            self.names.push(name.trim().to_owned());
            self.names.len() - 1
        });
        self.spellings.insert(own, index);
        for key in keys(name).chain(keys(spelling)) {
            if !key.is_empty() {
                self.spellings.entry(key).or_insert(index);
            }
        }
    }

    /// Reads the players of a [spelling file of Scid](https://scid.sourceforge.net/): in the section
    /// `@PLAYER`, a name on each line, with `#` before what is known of the player; below it, after
    /// `=`, other spellings. Other sections and lines with `%` are left out.
    pub fn from_spelling_file(text: &str) -> Aliases {
        let mut aliases = Aliases::default();
        let mut is_of_players = false;
        let mut name = "";
        for line in text.lines().map(str::trim) {
            if let Some(section) = line.strip_prefix('@') {
                is_of_players = section.trim().eq_ignore_ascii_case("PLAYER");
            }
            if !is_of_players || line.is_empty() || line.starts_with(['@', '#', '%']) {
                continue;
            }
            let text = line.split('#').next().unwrap_or_default();
            match text.strip_prefix('=') {
                Some(spelling) => aliases.insert(name, spelling),
                None => {
                    name = text.trim();
                    aliases.insert(name, name);
                }
            }
        }
        aliases
    }

    /// The name that a spelling stands for.
    pub fn name_of(&self, spelling: &str) -> Option<&str> {
        let index = self.spellings.get(&words(spelling))?;
        self.names.get(*index).map(String::as_str)
    }

    /// The number of spellings.
    pub fn len(&self) -> usize {
        self.spellings.len()
    }

    /// Whether there are no spellings.
    pub fn is_empty(&self) -> bool {
        self.spellings.is_empty()
    }
}

/// The letters and digits of a text, folded.
pub(crate) fn letters(text: &str) -> String {
    let folded = fold(text);
    folded
        .chars()
        .filter(|char| char.is_alphanumeric())
        .collect()
}

/// The words of a text, folded, with one blank between them.
fn words(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|char: char| !char.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// What a spelling is found by: its words, and those of `Mihail Tal` for `Tal, Mihail`.
fn keys(spelling: &str) -> impl Iterator<Item = String> {
    let turned = spelling.split_once(',');
    let turned = turned.map(|(last, first)| words(&format!("{first} {last}")));
    std::iter::once(words(spelling)).chain(turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPELLINGS: &str = "\
# A comment
%Bio ignored
@EVENT
Candidates
= Candidate Tournament
@PLAYER

Kasparov, Garry  #GM  RUS [2851] 1963.04.13
= Kasparov, G
=Kasparow, Garri #as in German
%Elo 1978:2545
Näss, Bjørn
";

    #[test]
    fn spelling_files_are_read() {
        let aliases = Aliases::from_spelling_file(SPELLINGS);
        for spelling in [
            "Kasparov,G",
            "garry kasparov",
            "KASPAROW, GARRI",
            "kasparov garry",
        ] {
            assert_eq!(
                aliases.name_of(spelling),
                Some("Kasparov, Garry"),
                "{spelling}"
            );
        }
        assert_eq!(aliases.name_of("bjorn nass"), Some("Näss, Bjørn"));
        for other in ["Candidate Tournament", "Kasparov", "as in German", ""] {
            assert_eq!(aliases.name_of(other), None, "{other}");
        }
    }

    #[test]
    fn spellings_before_the_first_name_are_left_out() {
        let aliases = Aliases::from_spelling_file("@PLAYER\n= x\n");
        assert_eq!(aliases.name_of("x"), None);
        assert!(aliases.is_empty());
    }

    #[test]
    fn the_first_name_of_a_spelling_stays() {
        let mut aliases = Aliases::default();
        aliases.insert("Smith, John", "Smith");
        aliases.insert("Smith, Jane", "Smith");
        assert_eq!(aliases.name_of("SMITH"), Some("Smith, John"));
        assert_eq!(aliases.name_of("Jane Smith"), Some("Smith, Jane"));
        aliases.insert("Smith", "Smyth");
        assert_eq!(aliases.name_of("Smyth"), Some("Smith"));
        assert_eq!(aliases.name_of("Smith"), Some("Smith"));
        aliases.insert("Li, Chao", "Li,C");
        assert_eq!(aliases.name_of("Lic, Hao"), None);
        aliases.insert("?", "x");
        assert_eq!(aliases.name_of("x"), None);
    }
}

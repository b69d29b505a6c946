//! Text of games, which is not trusted.

use maud::{Markup, Render, html};

/// A text of a game in a document: without characters that control a terminal or the direction of
/// text, and escaped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a>(pub(super) &'a str);

impl Render for Text<'_> {
    fn render(&self) -> Markup {
        html! { (clean(self.0)) }
    }
}

/// A text on one line without characters that control a terminal or the direction of text, and
/// without those that XML does not allow.
pub(super) fn clean(text: &str) -> String {
    let chars = text.chars().filter(|char| !is_invisible_control(*char));
    chars
        .map(|char| match char {
            '\u{2028}' | '\u{2029}' => ' ',
            char if char.is_control() => ' ',
            char => char,
        })
        .collect()
}

/// Marks, embeddings, overrides and isolates, which reorder the text around them; the byte order
/// mark; and noncharacters.
fn is_invisible_control(char: char) -> bool {
    matches!(
        char,
        '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_do_not_pass() {
        let text = "a\x1b[31mb\u{202e}c\u{2066}\0\u{9b}\r\nd\u{2028}\u{ffff}";
        assert_eq!(clean(text), "a [31mbc    d ");
        assert_eq!(clean("Müller 王 שלום"), "Müller 王 שלום");
        assert_eq!(Text("<\"&>\u{202e}").render().0, "&lt;&quot;&amp;&gt;");
    }
}

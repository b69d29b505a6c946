//! Text that is safe for a terminal.

/// A text with blanks for the characters that control a terminal.
pub(crate) fn printable(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .map(|char| if char.is_control() { ' ' } else { char })
}

/// A text cut to the width of a table column.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let mut chars = printable(text);
    let mut out: String = chars.by_ref().take(width).collect();
    if chars.next().is_some() {
        out.pop();
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_to_their_column() {
        assert_eq!(fit("äöü", 3), "äöü");
        assert_eq!(fit("äöüß", 3), "äö…");
        assert_eq!(fit("\x1b[m", 5), " [m");
    }
}

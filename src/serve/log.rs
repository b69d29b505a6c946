//! Lines on stderr.

use std::io::{self, Write};

/// Writes a line without control characters: addresses and names are the text of strangers, and stderr
/// may be a terminal. If no one reads stderr, the line is lost.
pub(super) fn log(line: &str) {
    let clean: String = line
        .chars()
        .map(|c| if is_control(c) { '\u{fffd}' } else { c })
        .collect();
    let _ = writeln!(io::stderr().lock(), "{clean}");
}

/// Control characters, and those that change the direction of text.
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::is_control;

    #[test]
    fn what_moves_the_cursor_is_control() {
        assert!(
            ['\u{9b}', '\u{1b}', '\u{202e}', '\n']
                .into_iter()
                .all(is_control)
        );
        assert!(!"Müller אב /masters?play=e2e4".chars().any(is_control));
    }
}

//! Numeric annotation glyphs as the signs of Chess Informant.

use super::game_tree::Notes;

/// The sign of a numeric annotation glyph; `$` and the number if it has none.
fn glyph(nag: u8) -> String {
    let sign = match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "□",
        10 => "=",
        13 => "∞",
        14 => "⩲",
        15 => "⩱",
        16 => "±",
        17 => "∓",
        18 => "+−",
        19 => "−+",
        22 | 23 => "⨀",
        32 | 33 => "⟳",
        36 | 37 => "↑",
        40 | 41 => "→",
        44 | 45 => "=∞",
        132 | 133 => "⇆",
        138 | 139 => "⊕",
        140 => "∆",
        146 => "N",
        _ => return format!("${nag}"),
    };
    sign.to_owned()
}

/// Whether the sign follows the move without a blank.
fn is_suffix(nag: u8) -> bool {
    (1..=6).contains(&nag)
}

impl Notes {
    /// The signs of its glyphs, each once, as they follow a move.
    pub(super) fn glyphs(&self) -> String {
        let mut out = String::new();
        for (at, nag) in self.nags.iter().enumerate() {
            if self.nags.iter().take(at).any(|earlier| earlier == nag) {
                continue;
            }
            if !is_suffix(*nag) {
                out.push(' ');
            }
            out += &glyph(*nag);
        }
        out
    }
}

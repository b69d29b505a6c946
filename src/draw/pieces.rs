//! The pieces as vector drawings on a square of 100 by 100.

use crate::chess::{Color, Piece, Role};
use maud::{Markup, html};

/// A piece: its outline, and the lines and dots inside.
struct Drawing {
    outline: &'static str,
    lines: &'static str,
    /// Centres and radii.
    dots: &'static [(f32, f32, f32)],
}

const KING: Drawing = Drawing {
    outline: "\
        M46.8 10.5H53.2V16H59V22.4H53.2V30.5C56 32 58.5 35 59.5 38.5 65 33.5 74 32 80 36.5 \
        88 42.5 87.5 54 80 60.5 77 63.5 74.8 66 74.8 70.5V86.5H25.2V70.5C25.2 66 23 63.5 \
        20 60.5 12.5 54 12 42.5 20 36.5 26 32 35 33.5 40.5 38.5 41.5 35 44 32 46.8 \
        30.5V22.4H41V16H46.8Z",
    lines: "M50 62C49 52 54 46 59.5 38.5M50 62C51 52 46 46 40.5 38.5M25.2 70.5C40 63 60 63 \
        74.8 70.5M25.2 78.5C40 72 60 72 74.8 78.5",
    dots: &[],
};

const QUEEN: Drawing = Drawing {
    outline: "\
        M25 60 14.5 31.5 31 50 33 24.5 43.5 47.5 50 20.5 56.5 47.5 67 24.5 69 50 85.5 31.5 \
        75 60C73 66 73.5 71.5 77 77.5V86.5H23V77.5C26.5 71.5 27 66 25 60ZM9 28A5 5 0 1 1 \
        19 28 5 5 0 1 1 9 28ZM27.5 20.5A5 5 0 1 1 37.5 20.5 5 5 0 1 1 27.5 20.5ZM45 17A5 5 \
        0 1 1 55 17 5 5 0 1 1 45 17ZM62.5 20.5A5 5 0 1 1 72.5 20.5 5 5 0 1 1 62.5 20.5ZM81 \
        28A5 5 0 1 1 91 28 5 5 0 1 1 81 28Z",
    lines: "M25.5 61.5C40 57 60 57 74.5 61.5M27 70C41 66 59 66 73 70M23.5 78.5C41 74.5 59 74.5 \
        76.5 78.5",
    dots: &[],
};

const ROOK: Drawing = Drawing {
    outline: "\
        M25 86.5V79.5L31.5 75 35.2 45.5 28.5 \
        39.5V20.5H38.5V28H45.5V20.5H54.5V28H61.5V20.5H71.5V39.5L64.8 45.5 68.5 75 75 \
        79.5V86.5Z",
    lines: "M28.5 39.5H71.5M35.2 45.5H64.8M31.5 75H68.5",
    dots: &[],
};

const BISHOP: Drawing = Drawing {
    outline: "\
        M50 12.5A5.2 5.2 0 0 1 53.3 21.7C61 28 68.5 37 68.5 48.5 68.5 55 65.5 60 61.5 \
        63.5L65 70 62.5 73.5C68 75.5 74.5 77 79 79.5L77 86.5C67 86.5 58 85 50 82 42 85 33 \
        86.5 23 86.5L21 79.5C25.5 77 32 75.5 37.5 73.5L35 70 38.5 63.5C34.5 60 31.5 55 \
        31.5 48.5 31.5 37 39 28 46.7 21.7A5.2 5.2 0 0 1 50 12.5Z",
    lines: "M50 34V52M42 42H58M38.5 63.5H61.5M35.5 71H64.5",
    dots: &[],
};

const KNIGHT: Drawing = Drawing {
    outline: "\
        M49 22.5C69 25 81 43 80.5 86.5H30C30 73.5 36.5 67.5 43.5 61.5 47.5 58 49.8 54.5 50 \
        50C45 55 39.5 57.3 34 58.2C31.5 60.5 29.5 63.5 27 66.5L22.8 64.2 24 59.8 18.8 \
        62.8C14.5 60.5 12.8 56.5 14.5 52.5C17.5 46.5 22.5 42.5 26 36.5C26.5 31.5 29 27.8 \
        32.8 24.8L32.5 13.5 41 19.8 45.5 11.5Z",
    lines: "M59.5 31.5C68.5 40 73 55 73 76",
    dots: &[(35.0, 36.5, 3.0), (20.5, 55.0, 1.7)],
};

const PAWN: Drawing = Drawing {
    outline: "\
        M50 19C57.7 19 63 24.8 63 32 63 36.6 61 40.4 57.6 43 63 45 66 48 66 52H58.6C59.4 \
        63 64 69 70 75 73 78 74.5 81.5 74.5 86.5H25.5C25.5 81.5 27 78 30 75 36 69 40.6 63 \
        41.4 52H34C34 48 37 45 42.4 43 39 40.4 37 36.6 37 32 37 24.8 42.3 19 50 19Z",
    lines: "M30.5 76.5H69.5",
    dots: &[],
};

fn drawing(role: Role) -> &'static Drawing {
    match role {
        Role::King => &KING,
        Role::Queen => &QUEEN,
        Role::Rook => &ROOK,
        Role::Bishop => &BISHOP,
        Role::Knight => &KNIGHT,
        Role::Pawn => &PAWN,
    }
}

/// The ID by which a drawing of [`definition`] is used: `wK`, `bp` for a black pawn as `bP`.
pub(super) fn id(piece: Piece) -> String {
    let side = piece.color.fold_wb('w', 'b');
    format!("{side}{}", piece.role.upper_char())
}

/// The definition of a piece as a group with an [`id`].
pub(super) fn definition(piece: Piece) -> Markup {
    let Drawing {
        outline,
        lines,
        dots,
    } = drawing(piece.role);
    // Black pieces are dark with light lines.
    let (fill, edge, line, width) = match piece.color {
        Color::White => ("#fffdf7", "#262421", "#262421", "3.2"),
        Color::Black => ("#35322f", "#14120f", "#e9e4da", "2.8"),
    };
    html! {
        g id=(id(piece)) stroke-linejoin="round" stroke-linecap="round" {
            path d=(outline) fill=(fill) stroke=(edge) stroke-width="3.6" {}
            path d=(lines) fill="none" stroke=(line) stroke-width=(width) {}
            @for (x, y, radius) in *dots {
                circle cx=(x) cy=(y) r=(radius) fill=(line) {}
            }
        }
    }
}

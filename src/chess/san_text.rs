//! The text of a move, parsed without a position.

use shakmaty::{File, Move, Rank, Role, Square};

/// The text of a move, parsed without a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SanText<'a> {
    pub(super) body: Body,
    pub(super) suffix: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Null {
        zeros: bool,
    },
    Castle {
        king_side: bool,
        zeros: bool,
    },
    Piece(PieceMove),
    /// A drop of a piece from the hand (`N@f3`), as in Crazyhouse.
    Drop {
        role: Role,
        to: Square,
        bare: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceMove {
    pub(super) role: Role,
    pub(super) file: Option<File>,
    pub(super) rank: Option<Rank>,
    pub(super) capture: bool,
    pub(super) to: Square,
    pub(super) promotion: Option<Role>,
    pub(super) equals: bool,
}

const FIXED: [(&[u8], Body); 6] = [
    (
        b"O-O-O",
        Body::Castle {
            king_side: false,
            zeros: false,
        },
    ),
    (
        b"O-O",
        Body::Castle {
            king_side: true,
            zeros: false,
        },
    ),
    (
        b"0-0-0",
        Body::Castle {
            king_side: false,
            zeros: true,
        },
    ),
    (
        b"0-0",
        Body::Castle {
            king_side: true,
            zeros: true,
        },
    ),
    (b"--", Body::Null { zeros: false }),
    (b"Z0", Body::Null { zeros: true }),
];

impl<'a> SanText<'a> {
    /// Parses a token. Returns `None` if it is not the text of a move.
    pub fn parse(token: &'a [u8]) -> Option<SanText<'a>> {
        let end = token.iter().rposition(|byte| !matches!(byte, b'+' | b'#'));
        let (body, suffix) = token.split_at_checked(end?.checked_add(1)?)?;
        let fixed = FIXED.iter().find(|(text, _)| *text == body);
        let body = match fixed {
            Some((_, body)) => *body,
            None => match parse_drop(body) {
                Some(drop) => drop,
                None => Body::Piece(PieceMove::parse(body)?),
            },
        };
        Some(SanText { body, suffix })
    }

    /// Whether it is a promotion without `=`.
    pub fn lacks_equals(&self) -> bool {
        match self.body {
            Body::Piece(piece) => piece.promotion.is_some() && !piece.equals,
            _ => false,
        }
    }
}

impl PieceMove {
    fn parse(text: &[u8]) -> Option<PieceMove> {
        let (role, text) = split_role(text)?;
        let (promotion, equals, text) = split_promotion(text);
        let (text, [file, rank]) = text.split_last_chunk()?;
        let to = Square::from_ascii(&[*file, *rank]).ok()?;
        let (capture, text) = match text.split_last() {
            Some((b'x', text)) => (true, text),
            _ => (false, text),
        };
        let (file, rank) = match text {
            [] => (None, None),
            [byte @ b'a'..=b'h'] => (File::from_char(char::from(*byte)), None),
            [byte @ b'1'..=b'8'] => (None, Rank::from_char(char::from(*byte))),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (
                File::from_char(char::from(*file)),
                Rank::from_char(char::from(*rank)),
            ),
            _ => return None,
        };
        Some(PieceMove {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
            equals,
        })
    }

    pub(super) fn matches(&self, m: Move) -> bool {
        m.from().is_some_and(|from| {
            self.file.is_none_or(|file| file == from.file())
                && self.rank.is_none_or(|rank| rank == from.rank())
        }) && m.promotion() == self.promotion
            && (m.is_capture() || !self.capture)
    }
}

/// Parses a drop: `N@f3`, or for a pawn `P@e4` or `@e4`.
fn parse_drop(text: &[u8]) -> Option<Body> {
    let (piece, to) = match text {
        [b'@', to @ ..] => (None, to),
        [piece, b'@', to @ ..] => (Some(char::from(*piece)), to),
        _ => return None,
    };
    let role = match piece {
        None => Role::Pawn,
        Some(letter) if letter.is_ascii_uppercase() => Role::from_char(letter)?,
        Some(_) => return None,
    };
    Some(Body::Drop {
        role,
        to: Square::from_ascii(to).ok()?,
        bare: piece.is_none(),
    })
}

fn split_role(text: &[u8]) -> Option<(Role, &[u8])> {
    let (first, rest) = text.split_first()?;
    let role = match first {
        b'N' => Role::Knight,
        b'B' => Role::Bishop,
        b'R' => Role::Rook,
        b'Q' => Role::Queen,
        b'K' => Role::King,
        _ => return Some((Role::Pawn, text)),
    };
    Some((role, rest))
}

fn split_promotion(text: &[u8]) -> (Option<Role>, bool, &[u8]) {
    let role = |byte: u8| match byte {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        // In Antichess.
        b'K' => Some(Role::King),
        _ => None,
    };
    match text {
        [rest @ .., b'=', last] if role(*last).is_some() => (role(*last), true, rest),
        [rest @ .., last] if role(*last).is_some() => (role(*last), false, rest),
        _ => (None, false, text),
    }
}

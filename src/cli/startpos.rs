//! The name of the standard start position, which can replace a FEN.

/// The name, as in UCI.
pub(crate) const STARTPOS: &str = "startpos";

const FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The FEN that a text is or names.
pub(crate) fn fen_of(text: &str) -> &str {
    match text.trim().eq_ignore_ascii_case(STARTPOS) {
        true => FEN,
        false => text,
    }
}

//! Start positions in place of the text of FEN tags: a FEN that contains
//! nothing but its position is written from the bits of the position.

use crate::archive::error::ContentError;
use crate::chess::Setup;
use crate::pgn::Start;
use crate::position::PositionCode;
use strum::{FromRepr, VariantArray};

/// The notation of castling rights in a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, FromRepr, VariantArray)]
#[repr(u8)]
pub(crate) enum FenSpelling {
    /// As `KQkq` if that identifies the rook (X-FEN).
    XFen = 1,
    /// As the files of the rooks (Shredder-FEN).
    Shredder = 2,
}

impl FenSpelling {
    fn write(self, setup: &Setup) -> String {
        match self {
            FenSpelling::XFen => setup.fen(),
            FenSpelling::Shredder => setup.shredder_fen(),
        }
    }

    /// The spelling of a FEN; the first one if both give the same text.
    fn of(fen: &[u8], setup: &Setup) -> Option<Self> {
        let spelled = |spelling: &FenSpelling| spelling.write(setup).as_bytes() == fen;
        Self::VARIANTS.iter().copied().find(spelled)
    }
}

/// A start position that gives the text of a FEN.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FenPosition {
    spelling: FenSpelling,
    /// The bits of `combined`.
    bytes: Vec<u8>,
}

impl FenPosition {
    pub(crate) fn new(spelling: FenSpelling, bytes: Vec<u8>) -> Self {
        FenPosition { spelling, bytes }
    }

    /// The start position that gives exactly this text; `None` if none does.
    pub(crate) fn of(fen: &[u8]) -> Option<FenPosition> {
        let setup = Setup::from_fen(fen).ok()?;
        let spelling = FenSpelling::of(fen, &setup)?;
        let bits = PositionCode::Combined.encode(&setup).ok()?;
        Some(FenPosition::new(spelling, bits.bytes().to_vec()))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text of the FEN.
    ///
    /// # Errors
    /// The bits are not valid for `combined`, or an earlier spelling gives the
    /// same text.
    pub(crate) fn fen(&self) -> Result<Vec<u8>, ContentError> {
        let setup = PositionCode::Combined.decode(&self.bytes)?;
        let fen = self.spelling.write(&setup).into_bytes();
        match FenSpelling::of(&fen, &setup) {
            first if first == Some(self.spelling) => Ok(fen),
            _ => Err(ContentError::Invalid("a FEN without another spelling")),
        }
    }
}

/// The value of the column "start".
pub(crate) fn start_number(start: Start, set_up: Option<&FenPosition>) -> u8 {
    let spelling = set_up.map_or(0, |set_up| set_up.spelling as u8);
    Start::NUMBERS * spelling + start.number()
}

/// Decodes a value of the column "start".
pub(crate) fn read_start_number(number: u64) -> Result<(Start, Option<FenSpelling>), ContentError> {
    let unknown = ContentError::Invalid("no such start position");
    let number = u8::try_from(number).map_err(|_| unknown.clone())?;
    let start = Start::from_number(number % Start::NUMBERS).ok_or(unknown.clone())?;
    let spelling = match number / Start::NUMBERS {
        0 => None,
        spelling => Some(FenSpelling::from_repr(spelling).ok_or(unknown)?),
    };
    Ok((start, spelling))
}

#[cfg(test)]
mod tests;

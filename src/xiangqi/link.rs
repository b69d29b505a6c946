//! Share links: a position and the moves from it, as text for a URL
//! (`docs/xiangqi.md`, "Share links").

use std::num::NonZeroU32;

use super::{
    CodeError, IllegalMove, XiangqiCode, XiangqiEncodeError, XiangqiMove, XiangqiPosition,
};
use crate::bits::{BitReader, BitString, BitWriter, from_base64};
use crate::codec::uniform::UniformCode;

const PLIES_BITS: u32 = 10;

/// The maximum number of plies of a link.
pub const MAX_PLIES: usize = (1 << PLIES_BITS) - 1;

/// A position and the moves played from it, all of which are legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    start: XiangqiPosition,
    choices: Vec<LinkMove>,
    last: XiangqiPosition,
}

/// A move that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LinkMove {
    played: XiangqiMove,
    /// Its number among the legal moves.
    number: u32,
    /// The number of legal moves.
    legal: NonZeroU32,
}

/// The reasons why a game has no link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkEncodeError {
    /// `xq-prefix` cannot represent the start position.
    #[error(transparent)]
    Start(#[from] XiangqiEncodeError),
    /// More plies than a link can contain.
    #[error("more than {MAX_PLIES} plies")]
    TooManyPlies,
}

/// Link decoding errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The text is not URL-safe base64 without padding.
    #[error("not URL-safe base64 without padding")]
    NotBase64,
    /// The start position is invalid, or the bits end early.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// A history without plies.
    #[error("a history of no plies")]
    NoPlies,
    /// There are more plies, but no move is legal.
    #[error("ply {ply}: no legal move is left to choose from")]
    NoLegalMove {
        /// The number of the ply, from 1.
        ply: usize,
    },
    /// The rest is not fewer than 8 ones.
    #[error("the link does not end with fewer than 8 ones")]
    Padding,
}

impl Link {
    /// A link with this start position and without moves.
    pub fn new(start: XiangqiPosition) -> Self {
        let last = start.clone();
        Link {
            start,
            choices: Vec::new(),
            last,
        }
    }

    /// Appends a legal move.
    ///
    /// # Errors
    ///
    /// The move is not legal; the link does not change.
    pub fn play(&mut self, played: XiangqiMove) -> Result<(), IllegalMove> {
        let legal = self.last.legal_moves();
        let number = (0..).zip(&legal).find(|(_, legal)| **legal == played);
        let ((number, _), legal) = number.zip(symbols(legal.len())).ok_or(IllegalMove)?;
        self.push(LinkMove {
            played,
            number,
            legal,
        });
        Ok(())
    }

    fn push(&mut self, choice: LinkMove) {
        self.last = self.last.after(choice.played);
        self.choices.push(choice);
    }

    /// The position before the first move.
    pub fn start(&self) -> &XiangqiPosition {
        &self.start
    }

    /// The moves, in the order in which they were played.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = XiangqiMove> {
        self.choices.iter().map(|choice| choice.played)
    }

    /// The position after the last move.
    pub fn last_position(&self) -> &XiangqiPosition {
        &self.last
    }

    /// Encodes the link as text.
    ///
    /// # Errors
    ///
    /// `xq-prefix` cannot represent the start position, or there are too many
    /// plies.
    pub fn encode(&self) -> Result<String, LinkEncodeError> {
        let mut out = BitWriter::new();
        XiangqiCode::Prefix.write(&self.start, &mut out)?;
        self.write_history(&mut out)?;
        while !out.bit_len().is_multiple_of(8) {
            out.push_bit(true);
        }
        Ok(BitString::from(out).to_base64())
    }

    fn write_history(&self, out: &mut BitWriter) -> Result<(), LinkEncodeError> {
        if self.choices.is_empty() {
            return Ok(());
        }
        if self.choices.len() > MAX_PLIES {
            return Err(LinkEncodeError::TooManyPlies);
        }
        out.push_bits(self.choices.len() as u64, PLIES_BITS);
        for choice in &self.choices {
            UniformCode::Phased.write(choice.number, choice.legal, out);
        }
        Ok(())
    }

    /// Decodes the text of a link; see [`of_address`](Self::of_address).
    ///
    /// # Errors
    ///
    /// The text is not what [`encode`](Self::encode) writes.
    pub fn decode(text: &str) -> Result<Self, LinkError> {
        let bytes = from_base64(text).map_err(|_| LinkError::NotBase64)?;
        let mut input = BitReader::new(&bytes);
        let mut link = Link::new(XiangqiCode::Prefix.read(&mut input)?);
        if input.remaining() >= 8 {
            link.read_history(&mut input)?;
        }
        let rest = input.remaining();
        match rest < 8 && (0..rest).all(|_| input.read_bit() == Ok(true)) {
            true => Ok(link),
            false => Err(LinkError::Padding),
        }
    }

    fn read_history(&mut self, input: &mut BitReader<'_>) -> Result<(), LinkError> {
        let plies = input.read_bits(PLIES_BITS).map_err(CodeError::from)?;
        if plies == 0 {
            return Err(LinkError::NoPlies);
        }
        for _ in 0..plies {
            let no_move = LinkError::NoLegalMove {
                ply: self.choices.len() + 1,
            };
            let moves = self.last.legal_moves();
            let legal = symbols(moves.len()).ok_or(no_move)?;
            let number = UniformCode::Phased.read(legal, input);
            let number = number.map_err(CodeError::from)?;
            let played = *moves.get(number as usize).ok_or(no_move)?;
            self.push(LinkMove {
                played,
                number,
                legal,
            });
        }
        Ok(())
    }

    /// The link in a URL: of the fragment, or of the whole URL if it has none,
    /// the part after the last `/`, without the query. Trailing `/` and `#` are
    /// ignored. Text without `/`, `#` and `?` is returned unchanged.
    pub fn from_url(address: &str) -> &str {
        let address = address.trim_end_matches(['/', '#']);
        let part = address.rsplit('#').next().unwrap_or(address);
        let path = part.split('?').next().unwrap_or(part);
        let path = path.trim_end_matches('/');
        path.rsplit('/').next().unwrap_or(path)
    }
}

/// The number of symbols; `None` if it is 0.
fn symbols(count: usize) -> Option<NonZeroU32> {
    u32::try_from(count).ok().and_then(NonZeroU32::new)
}

#[cfg(test)]
mod tests {
    use super::super::testing::position;
    use super::*;

    #[test]
    fn links_are_found_in_addresses() {
        for address in [
            "LINK",
            "x.org/LINK",
            "https://x.org/LINK",
            "https://x.org/a/LINK/",
            "https://x.org/#LINK",
            "https://x.org/LINK#",
            "https://x.org/LINK/#/",
            "https://x.org/LINK?a=b",
            "https://x.org/LINK/?a=/b/",
            "https://x.org/?a=b#LINK",
            "https://x.org/#/xiangqi/LINK?a=b",
            "#LINK",
        ] {
            assert_eq!(Link::from_url(address), "LINK", "{address}");
        }
        for nothing in ["", "/", "#", "?a", "https://"] {
            assert!(!Link::from_url(nothing).contains('/'), "{nothing}");
        }
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut link = Link::new(position("3k5/9/9/9/9/9/9/9/9/4K4"));
        let before = link.clone();
        let illegal = "e1d1".parse().expect("a move");
        assert_eq!(link.play(illegal), Err(IllegalMove));
        assert_eq!(link, before);
        assert_eq!(link.play("e1e2".parse().expect("a move")), Ok(()));
        assert_eq!(link.last_position(), &position("3k5/9/9/9/9/9/9/9/4K4/9 b"));
    }

    #[test]
    fn the_most_plies_are_1023() {
        let mut link = Link::new(XiangqiPosition::start());
        let round = ["a1a2", "a10a9", "a2a1", "a9a10"].map(|text| text.parse().expect("a move"));
        for played in round.into_iter().cycle().take(MAX_PLIES) {
            link.play(played).expect("a legal move");
        }
        let text = link.encode().expect("a link");
        assert_eq!(Link::decode(&text).as_ref(), Ok(&link));
        link.play(round[MAX_PLIES % 4]).expect("a legal move");
        assert_eq!(link.encode(), Err(LinkEncodeError::TooManyPlies));
    }
}

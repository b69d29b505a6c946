//! The codecs by name and number, and the selection of the smallest encoding.

use crate::codec::trace::Trace;
use crate::limits::Limits;

use super::error::{LineEncodeError, MoveError};
use super::huffman::Huffman;
use super::line::{DecodedLine, Line, LineInfo};
use super::model::Model;
use super::move_codec::{LineParts, MoveCodec, PlyVisitor};
use super::radix::{Radix, RadixEnd};
use super::san::San;
use super::squares::Squares;

/// A codec of the format. The discriminant is its selector, which never changes;
/// `spec/moves.md` lists all selectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Codec {
    /// `huffman`, with the start position encoded.
    Huffman = 1,
    /// `huffman`, start elided: from the standard start position.
    HuffmanElided = 2,
    /// `huffman-index`, with the start position encoded.
    HuffmanIndex = 3,
    /// `huffman-index`, start elided: from the standard start position.
    HuffmanIndexElided = 4,
    /// `radix`: numbers of the moves among the legal moves.
    Radix = 5,
    /// `radix-end`: the same, with the end of the game.
    RadixEnd = 6,
    /// `squares`: origin and target of each move.
    Squares = 7,
    /// `san`: plain text.
    San = 8,
    /// `model`, with the model of the segment.
    Model = 9,
}

impl Codec {
    /// All codecs, by number.
    pub const ALL: [Codec; 9] = [
        Codec::Huffman,
        Codec::HuffmanElided,
        Codec::HuffmanIndex,
        Codec::HuffmanIndexElided,
        Codec::Radix,
        Codec::RadixEnd,
        Codec::Squares,
        Codec::San,
        Codec::Model,
    ];

    /// The selector of the codec.
    pub fn selector(self) -> u8 {
        self as u8
    }

    /// The codec with this selector.
    pub fn from_selector(selector: u8) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|codec| codec.selector() == selector)
    }

    /// The name of the codec; several forms share one.
    pub fn name(self) -> &'static str {
        match self {
            Codec::Huffman | Codec::HuffmanElided => "huffman",
            Codec::HuffmanIndex | Codec::HuffmanIndexElided => "huffman-index",
            Codec::Radix => "radix",
            Codec::RadixEnd => "radix-end",
            Codec::Squares => "squares",
            Codec::San => "san",
            Codec::Model => "model",
        }
    }

    /// The forms of the codec with this name; empty if there is none.
    pub fn forms_by_name(name: &str) -> Vec<Codec> {
        let mut forms = Self::ALL.to_vec();
        forms.retain(|codec| codec.name() == name);
        forms
    }

    /// Whether the bits encode the number of plies.
    pub fn codes_plies(self) -> bool {
        self == Codec::RadixEnd
    }

    /// Encodes a line.
    fn encode_line(self, line: Line<'_>) -> Result<EncodedLine, LineEncodeError> {
        let (bytes, trace) = match self {
            Codec::Model => Model.encode_traced(line)?,
            _ => (self.encode(line)?, Trace::default()),
        };
        Ok(EncodedLine {
            codec: self,
            bytes,
            trace,
        })
    }

    fn implementation(self) -> &'static dyn MoveCodec {
        match self {
            Codec::Huffman => &Huffman::WITH_START,
            Codec::HuffmanElided => &Huffman::ELIDED,
            Codec::HuffmanIndex => &Huffman::INDEX_WITH_START,
            Codec::HuffmanIndexElided => &Huffman::INDEX_ELIDED,
            Codec::Radix => &Radix,
            Codec::RadixEnd => &RadixEnd,
            Codec::Squares => &Squares,
            Codec::San => &San,
            Codec::Model => &Model,
        }
    }
}

impl MoveCodec for Codec {
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, LineEncodeError> {
        self.implementation().encode(line)
    }

    fn decode(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
    ) -> Result<DecodedLine, MoveError> {
        self.implementation().decode(bytes, shape, limits)
    }

    fn follow(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
        see: &mut PlyVisitor<'_>,
    ) -> Result<(), MoveError> {
        self.implementation().follow(bytes, shape, limits, see)
    }

    fn least_bytes(&self, line: Line<'_>) -> usize {
        self.implementation().least_bytes(line)
    }

    fn parts(&self, line: Line<'_>) -> Option<LineParts> {
        self.implementation().parts(line)
    }
}

/// An encoded line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedLine {
    /// The codec.
    pub codec: Codec,
    /// What it wrote.
    pub bytes: Vec<u8>,
    /// The trace, if the codec has a model; otherwise empty.
    pub trace: Trace,
}

/// Whether an encoding by a model is small enough that no other codec is tried:
/// at most 4 bits a ply.
pub fn is_small_enough(bytes: usize, plies: usize) -> bool {
    2 * bytes <= plies
}

/// Encodes with the candidates and returns the smallest encoding (`auto`); on a
/// tie, that with the lowest selector. The model is tried first. If its result
/// is small enough (see [`is_small_enough`]), no other codec is tried. Candidates
/// whose lower bound is not smaller than the best result are skipped.
///
/// # Errors
/// No candidate can represent the line. The error is that of one of them.
pub fn encode_smallest(
    line: Line<'_>,
    candidates: &[Codec],
) -> Result<EncodedLine, LineEncodeError> {
    let mut smallest = Smallest::default();
    let mut others = candidates.to_vec();
    others.retain(|codec| *codec != Codec::Model);
    if others.len() < candidates.len() {
        smallest.try_codec(line, Codec::Model);
    }
    if smallest.is_small_enough(line) {
        return smallest.result;
    }
    // `radix-end` encodes the digits of `radix` in larger bases, and more of
    // them, so it never needs fewer bytes.
    let has_radix = others.contains(&Codec::Radix);
    let mut bounds: Vec<_> = others
        .into_iter()
        .filter(|codec| !(has_radix && *codec == Codec::RadixEnd))
        .map(|codec| (codec.least_bytes(line), codec))
        .collect();
    bounds.sort_unstable();
    for (least, codec) in bounds {
        if smallest.is_larger_than(least, codec) {
            smallest.try_codec(line, codec);
        }
    }
    smallest.result
}

/// The smallest encoding so far.
struct Smallest {
    result: Result<EncodedLine, LineEncodeError>,
}

impl Default for Smallest {
    fn default() -> Self {
        Smallest {
            result: Err(LineEncodeError::NoCandidate),
        }
    }
}

impl Smallest {
    fn is_larger_than(&self, bytes: usize, by: Codec) -> bool {
        let best = self.result.as_ref();
        best.map_or(true, |best| (bytes, by) < (best.bytes.len(), best.codec))
    }

    fn is_small_enough(&self, line: Line<'_>) -> bool {
        let best = self.result.as_ref();
        best.is_ok_and(|best| is_small_enough(best.bytes.len(), line.plies.len()))
    }

    fn try_codec(&mut self, line: Line<'_>, codec: Codec) {
        match codec.encode_line(line) {
            Ok(encoded) if self.is_larger_than(encoded.bytes.len(), codec) => {
                self.result = Ok(encoded)
            }
            Err(refusal) if self.result.is_err() => self.result = Err(refusal),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, PlyKind};

    #[test]
    fn numbers_and_names_find_their_codec() {
        for codec in Codec::ALL {
            assert_eq!(Codec::from_selector(codec.selector()), Some(codec));
            assert!(Codec::forms_by_name(codec.name()).contains(&codec));
        }
        assert_eq!(Codec::from_selector(0), None);
        assert_eq!(Codec::forms_by_name("none"), []);
        assert!(Codec::ALL.is_sorted());
    }

    #[test]
    fn the_smallest_wins() {
        let start = ChessPosition::standard();
        let mut moved = start.clone();
        let ply = moved.legal_plies()[0];
        moved.make(ply).expect("a legal ply");
        let choice = |start, plies: &[PlyKind], from: &[Codec]| {
            let line = Line::new(start, plies);
            encode_smallest(line, from).map(|encoded| encoded.codec)
        };
        let forms = Codec::forms_by_name("huffman");
        assert_eq!(choice(&start, &[ply], &forms), Ok(Codec::HuffmanElided));
        assert_eq!(choice(&moved, &[], &forms), Ok(Codec::Huffman));
        // Equal sizes: the lowest selector. `squares` needs 12 bits, `san` 3
        // bytes.
        let all = [Codec::San, Codec::Squares, Codec::RadixEnd, Codec::Radix];
        assert_eq!(choice(&start, &[ply], &all), Ok(Codec::Radix));
        assert_eq!(choice(&start, &[ply], &all[..2]), Ok(Codec::Squares));
        assert_eq!(choice(&start, &[], &all), Ok(Codec::Radix));
        assert_eq!(choice(&start, &[], &[]), Err(LineEncodeError::NoCandidate));
        let illegal = LineEncodeError::IllegalPly { ply: 1 };
        assert_eq!(choice(&start, &[ply, ply], &forms), Err(illegal));
    }
}

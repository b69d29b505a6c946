//! One bit string per game of a tree, coded with Huffman codes that all games share.

use crate::bits::{BitReader, BitWriter, ByteReader};
use crate::codec::error::CodecError;
use crate::codec::huffman::{Alphabet, CodeTable, HuffmanTree, LookupTable, MAX_LEAVES};
use std::sync::Arc;

/// A context: its alphabet, and whether every symbol takes at least one bit. If it does,
/// the length of a bit string determines the number of its symbols.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContextSpec {
    pub(super) alphabet: Alphabet,
    pub(super) has_no_empty_code: bool,
}

/// Symbol IDs, each with the number of its context.
pub(super) type EventSymbols = Vec<(usize, u8)>;

/// Huffman codes of the contexts, from the frequencies of their symbols.
pub(super) struct Codes(Vec<Option<HuffmanTree>>);

/// The bit strings of some games, encoded.
pub(super) struct EncodedGames {
    /// The length of each game's string in bits.
    pub(super) lengths: Vec<u64>,
    pub(super) bits: Vec<u8>,
}

/// Huffman codes of the contexts, for decoding.
#[derive(Debug)]
pub(super) struct DecodedCodes(Vec<Option<LookupTable>>);

/// The bit strings of some games, for decoding.
#[derive(Debug, Clone)]
pub(super) struct CodedGames {
    codes: Arc<DecodedCodes>,
    /// The bit offset of each game's string, and the end of the last one.
    starts: Vec<u64>,
    bits: Vec<u8>,
}

impl Codes {
    /// Codes for the symbols of these games. Returns `None` if a symbol or a context is out of range.
    pub(super) fn new<'g>(
        games: impl IntoIterator<Item = &'g EventSymbols>,
        shapes: &[ContextSpec],
    ) -> Option<Codes> {
        let mut counts = vec![[0u64; MAX_LEAVES]; shapes.len()];
        for (context, symbol) in games.into_iter().flatten() {
            let counts = counts.get_mut(*context)?;
            *counts.get_mut(usize::from(*symbol))? += 1;
        }
        for (counts, shape) in counts.iter_mut().zip(shapes) {
            let has_one_symbol = counts.iter().filter(|count| **count > 0).count() == 1;
            if shape.has_no_empty_code && has_one_symbol {
                *counts.iter_mut().find(|count| **count == 0)? = 1;
            }
        }
        Some(Codes(counts.iter().map(HuffmanTree::from_counts).collect()))
    }

    /// The trees, serialized.
    pub(super) fn write(&self, shapes: &[ContextSpec]) -> Vec<u8> {
        let mut bits = BitWriter::new();
        for (tree, shape) in self.0.iter().zip(shapes) {
            bits.push_bit(tree.is_some());
            if let Some(tree) = tree {
                tree.write(shape.alphabet, &mut bits);
            }
        }
        bits.into_bytes()
    }

    /// The codes of each context, for decoding.
    pub(super) fn decoded(self) -> Arc<DecodedCodes> {
        let trees = self.0.into_iter();
        Arc::new(DecodedCodes(
            trees.map(|tree| tree.map(LookupTable::new)).collect(),
        ))
    }

    /// The codes of each context, for encoding.
    pub(super) fn tables(&self) -> Vec<Option<CodeTable>> {
        let trees = self.0.iter();
        trees
            .map(|tree| tree.as_ref().map(CodeTable::new))
            .collect()
    }
}

impl EncodedGames {
    /// Codes the symbols of games. Returns `None` if a symbol has no code.
    pub(super) fn new<'g>(
        games: impl IntoIterator<Item = &'g EventSymbols>,
        codes: &[Option<CodeTable>],
    ) -> Option<EncodedGames> {
        let mut bits = BitWriter::new();
        let mut lengths = Vec::new();
        for symbols in games {
            let before = bits.bit_len();
            for (context, symbol) in symbols {
                let codes = codes.get(*context)?.as_ref()?;
                codes.get(*symbol)?.write(&mut bits);
            }
            lengths.push(bits.bit_len() - before);
        }
        Some(EncodedGames {
            lengths,
            bits: bits.into_bytes(),
        })
    }
}

impl DecodedCodes {
    /// Decodes what [`Codes::write`] returns.
    pub(super) fn parse(bytes: &[u8], shapes: &[ContextSpec]) -> Result<DecodedCodes, CodecError> {
        let mut bits = BitReader::new(bytes);
        let mut trees = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let tree = match bits.read_bit()? {
                true => Some(HuffmanTree::read(shape.alphabet, &mut bits)),
                false => None,
            };
            let tree = tree.transpose();
            let tree = tree.map_err(|_| CodecError::Damaged("a tree of codes that is none"))?;
            if shape.has_no_empty_code && tree.as_ref().is_some_and(HuffmanTree::is_leaf) {
                return Err(CodecError::Damaged("symbols without bits"));
            }
            trees.push(tree.map(LookupTable::new));
        }
        bits.finish()?;
        Ok(DecodedCodes(trees))
    }
}

impl CodedGames {
    /// Decodes the lengths of [`EncodedGames`], and takes their bits from `reader`.
    pub(super) fn parse(
        codes: &Arc<DecodedCodes>,
        lengths: &[u64],
        reader: &mut ByteReader<'_>,
    ) -> Result<CodedGames, CodecError> {
        let mut starts = Vec::with_capacity(lengths.len().saturating_add(1));
        let mut end = 0u64;
        starts.push(end);
        for length in lengths {
            end = end.saturating_add(*length);
            starts.push(end);
        }
        let bytes = usize::try_from(end.div_ceil(8)).unwrap_or(usize::MAX);
        Ok(CodedGames {
            codes: Arc::clone(codes),
            starts,
            bits: reader.take(bytes)?.to_vec(),
        })
    }

    /// The bit string of the game at `place`.
    pub(super) fn game(&self, place: usize) -> Result<GameSymbols<'_>, CodecError> {
        const MISSING: CodecError = CodecError::Damaged("codes that are missing");
        let start = self.starts.get(place).ok_or(MISSING)?;
        let end = *self.starts.get(place + 1).ok_or(MISSING)?;
        let first = usize::try_from(start / 8).map_err(|_| MISSING)?;
        let mut bits = BitReader::new(self.bits.get(first..).ok_or(MISSING)?);
        bits.read_bits(u32::try_from(start % 8).map_err(|_| MISSING)?)?;
        Ok(GameSymbols {
            codes: &self.codes,
            bits,
            end: end - (start - start % 8),
        })
    }
}

/// A reader of the bit string of a game.
#[derive(Debug, Clone)]
pub(super) struct GameSymbols<'a> {
    codes: &'a DecodedCodes,
    bits: BitReader<'a>,
    end: u64,
}

impl GameSymbols<'_> {
    pub(super) fn is_at_end(&self) -> bool {
        self.bits.position() >= self.end
    }

    /// Decodes one symbol ID.
    pub(super) fn read(&mut self, context: usize) -> Result<u8, CodecError> {
        let tree = self.codes.0.get(context).and_then(Option::as_ref);
        let tree = tree.ok_or(CodecError::Damaged("a symbol without a tree"))?;
        let symbol = tree.decode(&mut self.bits)?;
        match self.bits.position() <= self.end {
            true => Ok(symbol),
            false => Err(CodecError::Damaged("a code after the end of a game's")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [ContextSpec; 3] = [
        ContextSpec {
            alphabet: Alphabet::new(5, 27),
            has_no_empty_code: true,
        },
        ContextSpec {
            alphabet: Alphabet::new(2, 4),
            has_no_empty_code: false,
        },
        ContextSpec {
            alphabet: Alphabet::new(6, 64),
            has_no_empty_code: false,
        },
    ];

    /// The serialized trees, and the games that they code.
    fn encoded(games: &[EventSymbols]) -> (Vec<u8>, EncodedGames) {
        let codes = Codes::new(games, &SHAPES).unwrap();
        let written = EncodedGames::new(games, &codes.tables()).unwrap();
        (codes.write(&SHAPES), written)
    }

    fn parsed(trees: &[u8], written: &EncodedGames) -> Result<CodedGames, CodecError> {
        let codes = Arc::new(DecodedCodes::parse(trees, &SHAPES)?);
        let mut reader = ByteReader::new(&written.bits);
        let games = CodedGames::parse(&codes, &written.lengths, &mut reader)?;
        reader.finish()?;
        Ok(games)
    }

    #[test]
    fn symbols_round_trip() {
        let games: [EventSymbols; 4] = [
            vec![(0, 26), (1, 3), (0, 26)],
            vec![],
            (0..64)
                .flat_map(|id| vec![(2, id); 1 << (id % 9)])
                .collect(),
            vec![(0, 26)],
        ];
        let (trees, written) = encoded(&games);
        let coded = parsed(&trees, &written).unwrap();
        for (place, symbols) in games.iter().enumerate() {
            let mut reading = coded.game(place).unwrap();
            for (context, symbol) in symbols {
                assert!(!reading.is_at_end());
                assert_eq!(reading.read(*context), Ok(*symbol));
            }
            assert!(reading.is_at_end());
        }
        assert!(coded.game(4).is_err());
        assert!(coded.game(3).unwrap().read(3).is_err());
    }

    #[test]
    fn a_lone_symbol_takes_a_bit_where_it_must() {
        let games: [EventSymbols; 1] = [vec![(0, 7); 5]];
        let (trees, mut written) = encoded(&games);
        assert_eq!(written.lengths, [5]);
        written.lengths = vec![4];
        let coded = parsed(&trees, &written).unwrap();
        let mut reading = coded.game(0).unwrap();
        let read: Vec<_> = (0..5).map(|_| reading.read(0)).collect();
        assert!(read.iter().take(4).all(Result::is_ok) && read.last().unwrap().is_err());
        // A tree with one leaf: the tree is present, it is a leaf, ID 7. The other trees
        // are absent.
        let lone = [0b1100_1110, 0];
        assert!(DecodedCodes::parse(&lone, &SHAPES).is_err());
    }

    #[test]
    fn lengths_are_those_of_the_bits() {
        let games: [EventSymbols; 2] = [vec![(0, 7); 5], vec![(0, 8); 9]];
        let (trees, written) = encoded(&games);
        for lengths in [&[5][..], &[5, 12], &[u64::MAX, u64::MAX]] {
            let wrong = EncodedGames {
                lengths: lengths.to_vec(),
                bits: written.bits.clone(),
            };
            assert!(parsed(&trees, &wrong).is_err(), "{lengths:?}");
        }
    }
}

//! One bit string per game of a tree, coded with Huffman codes that all games share.

use crate::bits::{BitReader, BitWriter};
use crate::codec::error::CodecError;
use crate::codec::huffman::{Alphabet, CodeTable, HuffmanTree, LookupTable, MAX_LEAVES};

/// A context: its alphabet, and whether every symbol takes at least one bit. If it does,
/// the length of a bit string determines the number of its symbols.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContextSpec {
    pub(super) alphabet: Alphabet,
    pub(super) has_no_empty_code: bool,
}

/// Symbol IDs, each with the number of its context.
pub(super) type EventSymbols = Vec<(usize, u8)>;

/// The bit strings of all games, encoded.
pub(super) struct EncodedGames {
    /// The Huffman trees of the contexts.
    pub(super) trees: Vec<u8>,
    /// The length of each game's string in bits.
    pub(super) lengths: Vec<u64>,
    pub(super) bits: Vec<u8>,
}

/// The bit strings of all games, for decoding.
#[derive(Debug, Clone)]
pub(super) struct CodedGames {
    trees: Vec<Option<LookupTable>>,
    /// The bit offset of each game's string, and the end of the last one.
    starts: Vec<u64>,
    bits: Vec<u8>,
}

impl EncodedGames {
    /// Codes the symbols of games with Huffman trees built from their frequencies. Returns
    /// `None` if a symbol or a context is out of range.
    pub(super) fn new(games: &[EventSymbols], shapes: &[ContextSpec]) -> Option<EncodedGames> {
        let mut counts = vec![[0u64; MAX_LEAVES]; shapes.len()];
        for (context, symbol) in games.iter().flatten() {
            let counts = counts.get_mut(*context)?;
            *counts.get_mut(usize::from(*symbol))? += 1;
        }
        for (counts, shape) in counts.iter_mut().zip(shapes) {
            let has_one_symbol = counts.iter().filter(|count| **count > 0).count() == 1;
            if shape.has_no_empty_code && has_one_symbol {
                *counts.iter_mut().find(|count| **count == 0)? = 1;
            }
        }
        let trees: Vec<Option<HuffmanTree>> = counts.iter().map(HuffmanTree::from_counts).collect();
        let codes: Vec<Option<CodeTable>> = trees
            .iter()
            .map(|tree| tree.as_ref().map(CodeTable::new))
            .collect();
        let mut bits = BitWriter::new();
        let mut lengths = Vec::with_capacity(games.len());
        for symbols in games {
            let before = bits.bit_len();
            for (context, symbol) in symbols {
                let codes = codes.get(*context)?.as_ref()?;
                codes.get(*symbol)?.write(&mut bits);
            }
            lengths.push(bits.bit_len() - before);
        }
        let mut tree_bits = BitWriter::new();
        for (tree, shape) in trees.iter().zip(shapes) {
            tree_bits.push_bit(tree.is_some());
            if let Some(tree) = tree {
                tree.write(shape.alphabet, &mut tree_bits);
            }
        }
        Some(EncodedGames {
            trees: tree_bits.into_bytes(),
            lengths,
            bits: bits.into_bytes(),
        })
    }
}

impl CodedGames {
    /// Decodes the parts of a [`Written`].
    pub(super) fn parse(
        trees: &[u8],
        lengths: &[u64],
        bits: &[u8],
        shapes: &[ContextSpec],
    ) -> Result<CodedGames, CodecError> {
        let mut starts = Vec::with_capacity(lengths.len().saturating_add(1));
        let mut end = 0u64;
        starts.push(end);
        for length in lengths {
            end = end.saturating_add(*length);
            starts.push(end);
        }
        if end.div_ceil(8) != bits.len() as u64 {
            return Err(CodecError::Damaged("codes of another length"));
        }
        Ok(CodedGames {
            trees: read_trees(trees, shapes)?,
            starts,
            bits: bits.to_vec(),
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
            trees: &self.trees,
            bits,
            end: end - (start - start % 8),
        })
    }
}

/// A reader of the bit string of a game.
#[derive(Debug, Clone)]
pub(super) struct GameSymbols<'a> {
    trees: &'a [Option<LookupTable>],
    bits: BitReader<'a>,
    end: u64,
}

impl GameSymbols<'_> {
    pub(super) fn is_at_end(&self) -> bool {
        self.bits.position() >= self.end
    }

    /// Decodes one symbol ID.
    pub(super) fn read(&mut self, context: usize) -> Result<u8, CodecError> {
        let tree = self.trees.get(context).and_then(Option::as_ref);
        let tree = tree.ok_or(CodecError::Damaged("a symbol without a tree"))?;
        let symbol = tree.decode(&mut self.bits)?;
        match self.bits.position() <= self.end {
            true => Ok(symbol),
            false => Err(CodecError::Damaged("a code after the end of a game's")),
        }
    }
}

fn read_trees(
    bytes: &[u8],
    shapes: &[ContextSpec],
) -> Result<Vec<Option<LookupTable>>, CodecError> {
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
    Ok(trees)
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

    fn parsed(written: &EncodedGames) -> Result<CodedGames, CodecError> {
        CodedGames::parse(&written.trees, &written.lengths, &written.bits, &SHAPES)
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
        let coded = parsed(&EncodedGames::new(&games, &SHAPES).unwrap()).unwrap();
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
        let mut written = EncodedGames::new(&games, &SHAPES).unwrap();
        assert_eq!(written.lengths, [5]);
        written.lengths = vec![4];
        let coded = parsed(&written).unwrap();
        let mut reading = coded.game(0).unwrap();
        let read: Vec<_> = (0..5).map(|_| reading.read(0)).collect();
        assert!(read.iter().take(4).all(Result::is_ok) && read.last().unwrap().is_err());
        // A tree with one leaf: the tree is present, it is a leaf, ID 7. The other trees
        // are absent.
        let lone = [0b1100_1110, 0];
        assert!(CodedGames::parse(&lone, &[], &[], &SHAPES).is_err());
    }

    #[test]
    fn lengths_are_those_of_the_bits() {
        let games: [EventSymbols; 2] = [vec![(0, 7); 5], vec![(0, 8); 9]];
        let written = EncodedGames::new(&games, &SHAPES).unwrap();
        for lengths in [&[5][..], &[5, 12], &[u64::MAX, u64::MAX]] {
            let read = CodedGames::parse(&written.trees, lengths, &written.bits, &SHAPES);
            assert!(read.is_err(), "{lengths:?}");
        }
    }
}

//! The two trees, and the codes of small fields.

use crate::bits::{BitReader, BitWriter, BitsError};
use crate::chess::{CANONICAL_PROMOTIONS, PieceId, Role, Square};
use crate::codec::huffman::{Alphabet, CodeTable, HuffmanTree};

use super::error::{HuffmanError, TreeKind};
use super::naming::{PIECES, TargetAlphabet};

/// The counts of the symbols of both trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TreeCounts {
    naming: TargetAlphabet,
    pieces: [u64; 32],
    targets: [u64; 64],
}

impl TreeCounts {
    pub(super) fn new(naming: TargetAlphabet) -> Self {
        TreeCounts {
            naming,
            pieces: [0; 32],
            targets: [0; 64],
        }
    }

    pub(super) fn piece(&mut self, piece: PieceId) {
        if let Some(count) = self.pieces.get_mut(usize::from(piece.number())) {
            *count += 1;
        }
    }

    /// Counts the symbol of a move's target.
    pub(super) fn target(&mut self, name: u8) {
        if let Some(count) = self.targets.get_mut(usize::from(name)) {
            *count += 1;
        }
    }

    /// Counts a square of the initial position, if the second tree codes
    /// squares.
    pub(super) fn square(&mut self, square: Square) {
        if self.naming == TargetAlphabet::Squares {
            self.target(u8::from(square));
        }
    }

    /// A lower bound of the size of both trees and of all symbols, in bits: the
    /// entropy of the counts, with each symbol's cost rounded down to whole
    /// bits.
    pub(super) fn least_bits(&self) -> usize {
        least_bits(PIECES, &self.pieces) + least_bits(self.naming.alphabet(), &self.targets)
    }

    /// The trees; `None` if no piece is counted.
    pub(super) fn trees(&self) -> Option<Trees> {
        Some(Trees {
            naming: self.naming,
            pieces: HuffmanTree::from_counts(&self.pieces)?,
            targets: HuffmanTree::from_counts(&self.targets),
        })
    }
}

fn least_bits(alphabet: Alphabet, counts: &[u64]) -> usize {
    let total: u64 = counts.iter().sum();
    let mut bits = 0;
    for count in counts.iter().filter(|count| **count > 0) {
        let leaf_and_branch = u64::from(alphabet.id_bits()) + 2;
        bits += leaf_and_branch + count * u64::from((total / count).ilog2());
    }
    usize::try_from(bits.saturating_sub(1)).unwrap_or(usize::MAX)
}

/// The piece tree and the second tree of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trees {
    naming: TargetAlphabet,
    pieces: HuffmanTree,
    /// `None` if no target is coded.
    targets: Option<HuffmanTree>,
}

impl Trees {
    /// Reads the trees of a game.
    pub(super) fn read(
        naming: TargetAlphabet,
        has_moves: bool,
        bits: &mut BitReader<'_>,
    ) -> Result<Self, HuffmanError> {
        let fault = |which| move |error| HuffmanError::Tree(which, error);
        let pieces = HuffmanTree::read(PIECES, bits).map_err(fault(TreeKind::Pieces))?;
        let targets = match has_moves || naming == TargetAlphabet::Squares {
            true => Some(HuffmanTree::read(naming.alphabet(), bits).map_err(fault(naming.tree()))?),
            false => None,
        };
        Ok(Trees {
            naming,
            pieces,
            targets,
        })
    }

    /// The pieces of the piece tree, in ascending order.
    pub(super) fn piece_ids(&self) -> impl Iterator<Item = PieceId> {
        self.pieces.ids().into_iter().filter_map(PieceId::new)
    }

    pub(super) fn piece(&self, bits: &mut BitReader<'_>) -> Result<PieceId, BitsError> {
        PieceId::new(self.pieces.decode(bits)?).ok_or(BitsError::EndOfInput)
    }

    /// Reads the symbol of a move's target.
    pub(super) fn target(&self, bits: &mut BitReader<'_>) -> Result<u8, BitsError> {
        let targets = self.targets.as_ref().ok_or(BitsError::EndOfInput)?;
        targets.decode(bits)
    }

    /// Reads a square of the initial position.
    pub(super) fn square(&self, bits: &mut BitReader<'_>) -> Result<Square, BitsError> {
        let number = match self.naming {
            TargetAlphabet::Squares => self.target(bits)?.into(),
            TargetAlphabet::Numbers => bits.read_bits(6)?,
        };
        Square::try_from(number).map_err(|_| BitsError::EndOfInput)
    }

    /// Checks that every leaf of the trees occurs in the game.
    pub(super) fn check_used(&self, counts: &TreeCounts) -> Result<(), HuffmanError> {
        let unused = |tree: &HuffmanTree, counts: &[u64]| {
            let ids = tree.ids().into_iter();
            ids.filter(|id| counts.get(usize::from(*id)) == Some(&0))
                .min()
        };
        if let Some(id) = unused(&self.pieces, &counts.pieces) {
            return Err(HuffmanError::UnusedSymbol(TreeKind::Pieces, id));
        }
        let targets = self.targets.as_ref();
        if let Some(id) = targets.and_then(|tree| unused(tree, &counts.targets)) {
            return Err(HuffmanError::UnusedSymbol(self.naming.tree(), id));
        }
        Ok(())
    }
}

/// Writes symbols with the codes of both trees.
pub(super) struct EntryWriter {
    naming: TargetAlphabet,
    pieces: CodeTable,
    targets: Option<CodeTable>,
    pub(super) bits: BitWriter,
}

impl EntryWriter {
    /// Creates a writer that starts with the encoded trees.
    pub(super) fn new(trees: &Trees) -> Self {
        let mut bits = BitWriter::new();
        trees.pieces.write(PIECES, &mut bits);
        if let Some(targets) = &trees.targets {
            targets.write(trees.naming.alphabet(), &mut bits);
        }
        EntryWriter {
            naming: trees.naming,
            pieces: CodeTable::new(&trees.pieces),
            targets: trees.targets.as_ref().map(CodeTable::new),
            bits,
        }
    }

    /// Writes a piece that is in the tree.
    pub(super) fn piece(&mut self, piece: PieceId) {
        if let Some(code) = self.pieces.get(piece.number()) {
            code.write(&mut self.bits);
        }
    }

    /// Writes the symbol of a move's target, which must be in the tree.
    pub(super) fn target(&mut self, name: u8) {
        let targets = self.targets.as_ref();
        if let Some(code) = targets.and_then(|targets| targets.get(name)) {
            code.write(&mut self.bits);
        }
    }

    /// Writes a square of the initial position.
    pub(super) fn square(&mut self, square: Square) {
        match self.naming {
            TargetAlphabet::Squares => self.target(u8::from(square)),
            TargetAlphabet::Numbers => self.bits.push_bits(u64::from(square), 6),
        }
    }

    /// Writes the promotion role in 2 bits.
    pub(super) fn promotion(&mut self, role: Role) {
        let number = CANONICAL_PROMOTIONS.iter().position(|known| *known == role);
        self.bits.push_bits(number.unwrap_or(0) as u64, 2);
    }
}

/// Reads a promotion role.
pub(super) fn read_promotion(bits: &mut BitReader<'_>) -> Result<Role, BitsError> {
    let number = usize::try_from(bits.read_bits(2)?).map_err(|_| BitsError::EndOfInput)?;
    let role = CANONICAL_PROMOTIONS.get(number).copied();
    role.ok_or(BitsError::EndOfInput)
}

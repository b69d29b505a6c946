//! The two trees, and the codes of small fields.

use crate::bits::{BitReader, BitWriter, BitsError};
use crate::chess::{PieceId, Role, Square};
use crate::codec::huffman::{Alphabet, CodeTable, Tree};

use super::error::{HuffmanError, WhichTree};

const PIECES: Alphabet = Alphabet::new(5, 32);
const SQUARES: Alphabet = Alphabet::new(6, 64);

/// How often each piece and each square occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counts {
    pieces: [u64; 32],
    squares: [u64; 64],
}

impl Counts {
    pub(super) fn new() -> Self {
        Counts {
            pieces: [0; 32],
            squares: [0; 64],
        }
    }

    pub(super) fn piece(&mut self, piece: PieceId) {
        if let Some(count) = self.pieces.get_mut(usize::from(piece.number())) {
            *count += 1;
        }
    }

    pub(super) fn square(&mut self, square: Square) {
        if let Some(count) = self.squares.get_mut(usize::from(square)) {
            *count += 1;
        }
    }

    /// The trees; none where nothing is counted.
    pub(super) fn trees(&self) -> Option<Trees> {
        Some(Trees {
            pieces: Tree::from_counts(&self.pieces)?,
            squares: Tree::from_counts(&self.squares)?,
        })
    }
}

/// The piece tree and the square tree of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trees {
    pieces: Tree,
    squares: Tree,
}

impl Trees {
    pub(super) fn read(bits: &mut BitReader<'_>) -> Result<Self, HuffmanError> {
        use WhichTree::{Pieces, Squares};
        Ok(Trees {
            pieces: Tree::read(PIECES, bits).map_err(|e| HuffmanError::Tree(Pieces, e))?,
            squares: Tree::read(SQUARES, bits).map_err(|e| HuffmanError::Tree(Squares, e))?,
        })
    }

    /// The pieces of the piece tree, in ascending order.
    pub(super) fn piece_ids(&self) -> impl Iterator<Item = PieceId> {
        self.pieces.ids().into_iter().filter_map(PieceId::new)
    }

    pub(super) fn piece(&self, bits: &mut BitReader<'_>) -> Result<PieceId, BitsError> {
        PieceId::new(self.pieces.decode(bits)?).ok_or(BitsError::EndOfInput)
    }

    pub(super) fn square(&self, bits: &mut BitReader<'_>) -> Result<Square, BitsError> {
        let number = u32::from(self.squares.decode(bits)?);
        Square::try_from(number).map_err(|_| BitsError::EndOfInput)
    }

    /// Checks that nothing stands in the trees that does not occur.
    pub(super) fn check_used(&self, counts: &Counts) -> Result<(), HuffmanError> {
        let unused = |tree: &Tree, counts: &[u64]| {
            let ids = tree.ids().into_iter();
            ids.filter(|id| counts.get(usize::from(*id)) == Some(&0))
                .min()
        };
        if let Some(id) = unused(&self.pieces, &counts.pieces) {
            return Err(HuffmanError::ForeignId(WhichTree::Pieces, id));
        }
        if let Some(id) = unused(&self.squares, &counts.squares) {
            return Err(HuffmanError::ForeignId(WhichTree::Squares, id));
        }
        Ok(())
    }
}

/// Writes with the codes of two trees.
pub(super) struct EntryWriter {
    pieces: CodeTable,
    squares: CodeTable,
    pub(super) bits: BitWriter,
}

impl EntryWriter {
    /// Begins with the trees.
    pub(super) fn new(trees: &Trees) -> Self {
        let mut bits = BitWriter::new();
        trees.pieces.write(PIECES, &mut bits);
        trees.squares.write(SQUARES, &mut bits);
        EntryWriter {
            pieces: CodeTable::new(&trees.pieces),
            squares: CodeTable::new(&trees.squares),
            bits,
        }
    }

    /// Writes a piece, which the tree has.
    pub(super) fn piece(&mut self, piece: PieceId) {
        if let Some(code) = self.pieces.get(piece.number()) {
            code.write(&mut self.bits);
        }
    }

    /// Writes a square, which the tree has.
    pub(super) fn square(&mut self, square: Square) {
        if let Some(code) = self.squares.get(u8::from(square)) {
            code.write(&mut self.bits);
        }
    }

    /// Writes what a pawn becomes: 2 bits.
    pub(super) fn promotion(&mut self, role: Role) {
        let number = PROMOTIONS.iter().position(|known| *known == role);
        self.bits.push_bits(number.unwrap_or(0) as u64, 2);
    }
}

/// What a pawn may become, by number.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Reads what a pawn becomes.
pub(super) fn read_promotion(bits: &mut BitReader<'_>) -> Result<Role, BitsError> {
    Ok(match bits.read_bits(2)? {
        0 => Role::Knight,
        1 => Role::Bishop,
        2 => Role::Rook,
        _ => Role::Queen,
    })
}

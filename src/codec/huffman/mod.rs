//! Huffman trees over small alphabets: built from counts, written as a
//! preorder walk, read back without trust (`spec/moves.md`, "Trees").
//!
//! Of the two lightest nodes the first becomes the left child and bit 0; ties
//! go by weight, then by the smallest ID in the subtree. So counts determine
//! the tree, and one set of counts has one encoding.

mod build;
mod codes;
mod lookup;
mod tree;

pub use codes::{Code, CodeTable};
pub use lookup::Lookup;
pub use tree::{Alphabet, Tree, TreeError};

/// Most leaves of a tree. No code is then longer than 63 bits.
pub const MAX_LEAVES: usize = 64;

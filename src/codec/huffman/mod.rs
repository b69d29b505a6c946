//! Huffman trees over small alphabets: built from counts, written as a preorder
//! walk, validated when read (`spec/moves.md`, "Trees").
//!
//! The lighter of the two lightest nodes becomes the left child and gets bit 0.
//! Ties go to the smallest ID in the subtree. So counts determine the tree, and
//! a set of counts has exactly one encoding.

mod build;
mod codes;
mod lookup;
mod tree;

pub use codes::{CodeTable, CodeWord};
pub use lookup::LookupTable;
pub use tree::{Alphabet, HuffmanTree, TreeError};

/// The maximum number of leaves of a tree. Codes are then at most 63 bits long.
pub const MAX_LEAVES: usize = 64;

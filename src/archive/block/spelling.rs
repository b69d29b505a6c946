//! The spelling of a game's moves: a default spelling, and the plies that are
//! spelled otherwise.

use crate::archive::error::ContentError;
use crate::bits::{ByteReader, put_varint};
use crate::chess::Spelling;
use crate::pgn::{GameTree, Node, Walker};

/// The default spelling that leaves fewer exceptions, and the coded exceptions:
/// for each, in the order of the text, the number of plies since the last one,
/// and the spelling.
pub(crate) fn write_spellings(tree: &GameTree<'_>) -> (Spelling, Vec<u8>) {
    let spellings: Vec<Spelling> = tree.nodes.iter().filter_map(spelling_of).collect();
    let is_standard = |spelling: &Spelling| *spelling == Spelling::STANDARD;
    if spellings.iter().all(is_standard) {
        return (Spelling::STANDARD, Vec::new());
    }
    let defaults = [Spelling::STANDARD, Spelling::default_of(&spellings)];
    let [standard, default] = defaults.map(|default| (default, exceptions(tree, default)));
    if default.1.len() < standard.1.len() {
        default
    } else {
        standard
    }
}

fn spelling_of(node: &Node<'_>) -> Option<Spelling> {
    match node {
        Node::Ply(_, spelling) => Some(*spelling),
        _ => None,
    }
}

fn exceptions(tree: &GameTree<'_>, default: Spelling) -> Vec<u8> {
    let mut walker = Walker::new(tree.start.clone());
    let mut out = Vec::new();
    let (mut index, mut next) = (0, 0);
    for node in &tree.nodes {
        let is_exception = match node {
            // The moves of a tree are legal and its variations well placed, so
            // that the walk cannot fail.
            Node::Open => walker.open().is_err(),
            Node::Close => walker.close().is_err(),
            Node::Ply(ply, spelling) => {
                let (mut by_default, mut actual) = (Vec::new(), Vec::new());
                let mut position = walker.state().clone();
                let default_is_legal = position.write(*ply, default, &mut by_default).is_ok();
                let played = walker.step(|position| position.write(*ply, *spelling, &mut actual));
                index += 1;
                !default_is_legal || played.is_err() || by_default != actual
            }
            _ => false,
        };
        if let (true, Some(spelling)) = (is_exception, spelling_of(node)) {
            put_varint(&mut out, index - 1 - next);
            out.push(spelling.to_byte());
            next = index;
        }
    }
    out
}

/// Decodes the spelling of each of `count` plies.
pub(crate) fn read_spellings(
    default: u8,
    exceptions: &[u8],
    count: usize,
) -> Result<Vec<Spelling>, ContentError> {
    let mut spellings = vec![Spelling::from_byte(default); count];
    let mut input = ByteReader::new(exceptions);
    let mut next = 0usize;
    while !input.is_empty() {
        let ply = next.checked_add(input.length()?);
        let slot = ply.and_then(|ply| spellings.get_mut(ply));
        *slot.ok_or(ContentError::Invalid("a spelling after the last ply"))? =
            Spelling::from_byte(input.u8()?);
        next = ply.map_or(count, |ply| ply + 1);
    }
    Ok(spellings)
}

//! Encoding of a book.

use std::num::NonZeroU32;

use super::super::super::board::{Board, Move};
use super::super::super::legal::GenerateMoves;
use super::super::super::simd::Processor;
use super::super::AdaptationError;
use super::{Book, BookEdges, DEPTH, Edge, MAX_FREQUENT_PLAYERS, MAX_NODES, SHARE_TOTAL};
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::chess::ChessPosition;
use crate::codec::range::{Decoder, Encoder, RangeError, Share};

/// The probability, as a fraction, that another move of a node follows.
const MORE_PROBABILITY: (u32, u32) = (1, 4);

/// A coder of the symbols of trees: an encoder or a decoder.
trait BookSymbols {
    /// Codes one of `count` equally likely symbols. An encoder writes `symbol`;
    /// a decoder ignores it.
    fn uniform(&mut self, symbol: usize, count: usize) -> Result<usize, AdaptationError>;
    /// Codes a flag that is set with the probability `odds.0 / odds.1`. An
    /// encoder writes `so`; a decoder ignores it.
    fn flag(&mut self, so: bool, odds: (u32, u32)) -> Result<bool, AdaptationError>;
}

fn share(start: u32, size: u32, total: u32) -> Result<Share, AdaptationError> {
    let total = NonZeroU32::new(total).ok_or(RangeError::InvalidSymbol)?;
    Ok(Share::new(start, size, total).ok_or(RangeError::InvalidSymbol)?)
}

impl BookSymbols for Encoder {
    fn uniform(&mut self, symbol: usize, count: usize) -> Result<usize, AdaptationError> {
        let [at, total] = [symbol, count].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        self.encode(share(at, 1, total)?);
        Ok(symbol)
    }

    fn flag(&mut self, so: bool, (odds, total): (u32, u32)) -> Result<bool, AdaptationError> {
        let share = match so {
            true => share(0, odds, total),
            false => share(odds, total.saturating_sub(odds), total),
        };
        self.encode(share?);
        Ok(so)
    }
}

impl BookSymbols for Decoder<'_> {
    fn uniform(&mut self, _: usize, count: usize) -> Result<usize, AdaptationError> {
        let total = u32::try_from(count).unwrap_or(u32::MAX);
        let total = NonZeroU32::new(total).ok_or(RangeError::InvalidSymbol)?;
        let symbol = self.part(total)?;
        self.consume(share(symbol, 1, total.get())?)?;
        Ok(symbol as usize)
    }

    fn flag(&mut self, _: bool, (odds, total): (u32, u32)) -> Result<bool, AdaptationError> {
        let all = NonZeroU32::new(total).ok_or(RangeError::InvalidSymbol)?;
        let so = self.part(all)? < odds;
        let share = match so {
            true => share(0, odds, total),
            false => share(odds, total.saturating_sub(odds), total),
        };
        self.consume(share?)?;
        Ok(so)
    }
}

const HALF: (u32, u32) = (1, 2);

impl Book {
    /// Encodes a book that has nodes.
    ///
    /// # Errors
    /// A move is not legal, or the book exceeds a limit.
    pub(super) fn write(&self) -> Result<Vec<u8>, AdaptationError> {
        let mut out = Vec::new();
        put_varint(&mut out, self.frequent_players.len() as u64);
        for name in &self.frequent_players {
            put_bytes(&mut out, name);
        }
        let mut walk = BookWalk {
            symbols: Encoder::new(),
            from: Some(self),
            nodes: Vec::new(),
            processor: Processor::detect(),
        };
        walk.trees(self.frequent_players.len())?;
        out.extend(walk.symbols.finish());
        Ok(out)
    }

    /// Decodes a book.
    ///
    /// # Errors
    /// The bytes are not those of a book.
    pub(in super::super) fn from_bytes(bytes: &[u8]) -> Result<Self, AdaptationError> {
        if bytes.is_empty() {
            return Ok(Book::default());
        }
        let mut input = ByteReader::new(bytes);
        let count = input.length()?;
        if count > MAX_FREQUENT_PLAYERS {
            return Err(AdaptationError::Book);
        }
        let mut frequent_players: Vec<Vec<u8>> = Vec::new();
        for _ in 0..count {
            let name = input.bytes()?;
            if frequent_players.iter().any(|other| other == name) {
                return Err(AdaptationError::Book);
            }
            frequent_players.push(name.to_vec());
        }
        let mut walk = BookWalk {
            symbols: Decoder::new(input.rest()),
            from: None,
            nodes: Vec::new(),
            processor: Processor::detect(),
        };
        let roots = walk.trees(count)?;
        walk.symbols.finish()?;
        let nodes = walk.nodes;
        if nodes.is_empty() {
            return Err(AdaptationError::NoEffect);
        }
        Ok(Book {
            bytes: bytes.to_vec(),
            frequent_players,
            roots,
            nodes,
        })
    }
}

/// A traversal of all trees of a book. Encoding and decoding share the code,
/// because the symbols are the same.
struct BookWalk<'b, S> {
    symbols: S,
    /// The book to encode; `None` when decoding.
    from: Option<&'b Book>,
    /// The nodes visited so far, each before its children.
    nodes: Vec<BookEdges>,
    processor: Processor,
}

impl<S: BookSymbols> BookWalk<'_, S> {
    /// Codes the trees: that of games without frequent players, and two of each
    /// frequent player.
    fn trees(&mut self, frequent_players: usize) -> Result<Vec<Option<usize>>, AdaptationError> {
        let start = Board::new(&ChessPosition::standard()).ok_or(AdaptationError::Book)?;
        let mut roots = Vec::new();
        for tree in 0..=2 * frequent_players {
            let root = self.from.and_then(|book| *book.roots.get(tree)?);
            let is_there = self.symbols.flag(root.is_some(), HALF)?;
            let root = is_there.then(|| self.node(root, &start, 0)).transpose()?;
            roots.push(root);
        }
        Ok(roots)
    }

    /// Codes a node at this depth, in plies, and all nodes below it.
    fn node(
        &mut self,
        from: Option<usize>,
        board: &Board,
        ply: usize,
    ) -> Result<usize, AdaptationError> {
        let here = self.nodes.len();
        if here >= MAX_NODES {
            return Err(AdaptationError::Book);
        }
        self.nodes.push(BookEdges::new());
        let legal = self.processor.run(GenerateMoves(board));
        let written = self
            .from
            .zip(from)
            .and_then(|(book, at)| book.nodes.get(at));
        let mut written = written.into_iter().flatten().copied().peekable();
        let (mut next, mut left) = (0, SHARE_TOTAL as usize - 1);
        while next < legal.count {
            if next > 0
                && !self
                    .symbols
                    .flag(written.peek().is_some(), MORE_PROBABILITY)?
            {
                break;
            }
            let edge = written.next();
            let [number, share] =
                edge.map_or([0; 2], |edge| [edge.number, edge.share].map(usize::from));
            let above = self
                .symbols
                .uniform(number.saturating_sub(next), legal.count - next)?;
            let number = next + above;
            let share = self.symbols.uniform(share, left + 1)?;
            let child = edge.and_then(|edge| edge.child);
            let has_child = match share {
                0 => true,
                _ => ply + 1 < DEPTH && self.symbols.flag(child.is_some(), HALF)?,
            };
            let m = legal.nth(number).ok_or(AdaptationError::Book)?;
            let child = has_child
                .then(|| self.child(child, board, m, ply + 1))
                .transpose()?;
            let edge = Edge {
                number: u8::try_from(number).map_err(|_| AdaptationError::Book)?,
                share: u8::try_from(share).map_err(|_| AdaptationError::Book)?,
                child,
            };
            self.nodes
                .get_mut(here)
                .ok_or(AdaptationError::Book)?
                .push(edge);
            (next, left) = (number + 1, left - share);
        }
        if next == 0 {
            return Err(AdaptationError::Book);
        }
        Ok(here)
    }

    fn child(
        &mut self,
        from: Option<usize>,
        board: &Board,
        m: Move,
        ply: usize,
    ) -> Result<usize, AdaptationError> {
        if ply >= DEPTH {
            return Err(AdaptationError::Book);
        }
        let mut board = board.clone();
        board.play(m);
        self.node(from, &board, ply)
    }
}

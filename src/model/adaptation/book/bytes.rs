//! Encoding of a book.

use super::super::AdaptationError;
use super::{Book, DEPTH, Edge, MAX_FREQUENT_PLAYERS, MAX_NODES, SHARE_TOTAL};
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::adaptive_counts::AdaptiveCounts;
use crate::codec::range::{Decoder, Encoder, RangeError};

/// A coder of the symbols of trees: an encoder or a decoder.
trait BookSymbols {
    /// Codes a symbol. An encoder writes `symbol`; a decoder ignores it.
    fn symbol<const N: usize>(
        &mut self,
        symbol: usize,
        counts: &mut AdaptiveCounts<N>,
    ) -> Result<usize, RangeError>;
}

impl BookSymbols for Encoder {
    fn symbol<const N: usize>(
        &mut self,
        symbol: usize,
        counts: &mut AdaptiveCounts<N>,
    ) -> Result<usize, RangeError> {
        counts.encode(symbol, self);
        Ok(symbol)
    }
}

impl BookSymbols for Decoder<'_> {
    fn symbol<const N: usize>(
        &mut self,
        _: usize,
        counts: &mut AdaptiveCounts<N>,
    ) -> Result<usize, RangeError> {
        counts.decode(self)
    }
}

impl Book {
    /// Encodes a book that has nodes.
    ///
    /// # Errors
    /// The numbers of the moves of a node do not ascend, their shares are too large, or the book
    /// exceeds a limit.
    pub(super) fn write(&self) -> Result<Vec<u8>, AdaptationError> {
        let mut out = Vec::new();
        put_varint(&mut out, self.frequent_players.len() as u64);
        for name in &self.frequent_players {
            put_bytes(&mut out, name);
        }
        let mut walk = BookWalk::new(Encoder::new(), Some(self));
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
        let mut walk = BookWalk::new(Decoder::new(input.rest()), None);
        walk.trees(count)?;
        walk.symbols.finish()?;
        if walk.book.nodes.is_empty() {
            return Err(AdaptationError::NoEffect);
        }
        let mut book = walk.book;
        book.nodes.shrink_to_fit();
        book.edges.shrink_to_fit();
        Ok(Book {
            bytes: bytes.to_vec(),
            frequent_players,
            ..book
        })
    }
}

/// A traversal of all trees of a book. Encoding and decoding share the code,
/// because the symbols are the same.
struct BookWalk<'b, S> {
    symbols: S,
    /// The book to encode; `None` when decoding.
    from: Option<&'b Book>,
    /// The trees visited so far.
    book: Book,
    /// Whether a tree has a root.
    has_root: AdaptiveCounts<2>,
    /// Whether another move of a node follows.
    has_move: AdaptiveCounts<2>,
    numbers: AdaptiveCounts<256>,
    shares: AdaptiveCounts<{ SHARE_TOTAL as usize }>,
    /// Whether a node follows a move with a share.
    has_child: AdaptiveCounts<2>,
}

impl<'b, S: BookSymbols> BookWalk<'b, S> {
    fn new(symbols: S, from: Option<&'b Book>) -> Self {
        BookWalk {
            symbols,
            from,
            book: Book::default(),
            has_root: AdaptiveCounts::new(),
            has_move: AdaptiveCounts::new(),
            numbers: AdaptiveCounts::new(),
            shares: AdaptiveCounts::new(),
            has_child: AdaptiveCounts::new(),
        }
    }

    /// Codes the trees: that of games without frequent players, and two of each
    /// frequent player.
    fn trees(&mut self, frequent_players: usize) -> Result<(), AdaptationError> {
        for tree in 0..=2 * frequent_players {
            let root = self.from.and_then(|book| *book.roots.get(tree)?);
            let symbol = usize::from(root.is_some());
            let has_root = self.symbols.symbol(symbol, &mut self.has_root)? == 1;
            let root = has_root.then(|| self.node(root, 0)).transpose()?;
            self.book.roots.push(root);
        }
        Ok(())
    }

    /// Codes a node at this depth, in plies, and all nodes below it.
    fn node(&mut self, from: Option<u32>, ply: usize) -> Result<u32, AdaptationError> {
        if ply >= DEPTH || self.book.nodes.len() >= MAX_NODES {
            return Err(AdaptationError::Book);
        }
        let here = self.book.push_node();
        let written = self.from.zip(from).map(|(book, node)| book.edges(node));
        let mut written = written.into_iter().flatten().peekable();
        let mut edges = Vec::new();
        let (mut next, mut left) = (0, SHARE_TOTAL - 1);
        loop {
            if !edges.is_empty() {
                let symbol = usize::from(written.peek().is_some());
                if self.symbols.symbol(symbol, &mut self.has_move)? == 0 {
                    break;
                }
            }
            let edge = self.edge(written.next().copied(), ply)?;
            if usize::from(edge.number) < next {
                return Err(AdaptationError::Book);
            }
            next = usize::from(edge.number) + 1;
            let rest = left.checked_sub(edge.share.into());
            left = rest.ok_or(AdaptationError::Book)?;
            edges.push(edge);
        }
        self.book.set_edges(here, &edges);
        Ok(here)
    }

    /// Codes a move of a node at this depth, and all nodes below it.
    fn edge(&mut self, edge: Option<Edge>, ply: usize) -> Result<Edge, AdaptationError> {
        let (number, share) = edge.map_or((0, 0), |edge| (edge.number, edge.share));
        let child = edge.and_then(|edge| edge.child);
        let number = self.symbols.symbol(number.into(), &mut self.numbers)?;
        let share = self.symbols.symbol(share.into(), &mut self.shares)?;
        let has_child = share == 0
            || ply + 1 < DEPTH && {
                let symbol = usize::from(child.is_some());
                self.symbols.symbol(symbol, &mut self.has_child)? == 1
            };
        let child = has_child.then(|| self.node(child, ply + 1)).transpose()?;
        Ok(Edge {
            number: u8::try_from(number).map_err(|_| AdaptationError::Book)?,
            share: u8::try_from(share).map_err(|_| AdaptationError::Book)?,
            child,
        })
    }
}

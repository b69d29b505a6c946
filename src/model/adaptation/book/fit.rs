//! Fitting a book to games.

use std::collections::BTreeMap;

use super::super::super::follower::Follower;
use super::super::super::groups::Level;
use super::super::super::weights::Weights;
use super::super::{GameAdaptation, SampleGame};
use super::{Book, DEPTH, Edge, MAX_FREQUENT_PLAYERS, MAX_NODES, SHARE_TOTAL, tree};
use crate::chess::{ChessPosition, PlyKind};
use crate::codec::log::{BIT, log};
use crate::parallel;

/// The minimum number of games that reach a node: the larger of `FEWEST` and one
/// in `RAREST` of all games.
const MIN_GAMES: usize = 8;
const MIN_GAMES_DIVISOR: usize = 4096;

/// The minimum number of games of a frequent player.
const MIN_PLAYER_GAMES: usize = 50;

/// Trees of frequent players are tried only if they play in more than one in
/// `RARELY` games: otherwise not even the search pays.
const MIN_PLAYER_DIVISOR: usize = 8;

/// For each node, the model's frequencies are averaged over at most `SEEN`
/// games. The shares of at most `TRIED` moves are optimized in at most `SWEEPS`
/// passes.
const GAMES_PER_NODE: usize = 4;
const MAX_FITTED_MOVES: usize = 6;
const SWEEPS: usize = 3;

/// The estimated costs in 1/1024 bit: of a move with a share; of a move without
/// a share, which only leads to a node; of a node after a move with a share.
const SHARE_COST: i64 = 12 * BIT as i64;
const LINK_COST: i64 = 11 * BIT as i64;
const CHILD_COST: i64 = BIT as i64;

/// Nodes at a depth below this, in plies, grow their children in parallel.
const PARALLEL_DEPTH: usize = 2;

/// The total of the model's frequencies, after scaling.
const FREQUENCY_TOTAL: u32 = 1 << 16;

impl Book {
    /// Fits the book that saves the most on these games: with or without
    /// frequent players, or empty.
    pub(in super::super) fn fit<L: Level, const H: usize, const K: usize>(
        weights: &Weights<L, H, K>,
        games: &[SampleGame<'_>],
    ) -> Book {
        let frequent_players = frequent_players(games);
        let is_theirs =
            |game: &&SampleGame<'_>| tree(&frequent_players, game.white, game.black) > 0;
        let theirs = games.iter().filter(is_theirs).count();
        let personal = || {
            (MIN_PLAYER_DIVISOR * theirs > games.len())
                .then(|| fit_trees(weights, games, &frequent_players))
        };
        let (plain, personal) = parallel::join(|| fit_trees(weights, games, &[]), personal);
        let personal = personal.flatten();
        let books = plain.into_iter().chain(personal);
        let best = books.max_by_key(|(saved, _)| *saved);
        best.map_or_else(Book::default, |(_, book)| book)
    }
}

/// The names of the players of the most games: by descending number of games,
/// then by name.
fn frequent_players<'g>(games: &[SampleGame<'g>]) -> Vec<&'g [u8]> {
    let mut counts = BTreeMap::<&[u8], usize>::new();
    let names = games.iter().flat_map(|game| [game.white, game.black]);
    for name in names.filter(|name| !name.is_empty()) {
        *counts.entry(name).or_default() += 1;
    }
    let mut frequent_players: Vec<_> = counts
        .into_iter()
        .filter(|(_, count)| *count >= MIN_PLAYER_GAMES)
        .collect();
    frequent_players.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let names = frequent_players.into_iter().map(|(name, _)| name);
    names.take(MAX_FREQUENT_PLAYERS).collect()
}

/// Fits a book with trees for these players. Returns it with its savings in
/// 1/1024 bit, or `None` if it saves nothing or has too many nodes.
fn fit_trees<L: Level, const H: usize, const K: usize>(
    weights: &Weights<L, H, K>,
    games: &[SampleGame<'_>],
    frequent_players: &[&[u8]],
) -> Option<(i64, Book)> {
    let start = ChessPosition::standard();
    let mut trees: Vec<Vec<&SampleGame<'_>>> = vec![Vec::new(); 1 + 2 * frequent_players.len()];
    for game in games.iter().filter(|game| *game.start == start) {
        if let Some(tree) = trees.get_mut(tree(frequent_players, game.white, game.black)) {
            tree.push(game);
        }
    }
    let mut book = Book {
        frequent_players: frequent_players.iter().map(|name| name.to_vec()).collect(),
        ..Book::default()
    };
    let mut saved = 0;
    let fewest = MIN_GAMES.max(games.len() / MIN_GAMES_DIVISOR);
    let grow = |mut games: Vec<&SampleGame<'_>>| {
        games.sort_by(|a, b| opening(a.plies).cmp(opening(b.plies)));
        let grower = TreeFitter { fewest, ply: 0 };
        let game = games.first()?;
        let follower = Follower::new(weights, game.start, game.context, GameAdaptation::NONE)?;
        let root = grower.fit_node(&games, &follower);
        root.filter(|tree| tree.gain > tree.price)
    };
    for root in parallel::map(trees, grow) {
        saved += root.as_ref().map_or(0, |tree| tree.gain);
        let root = root.map(|tree| book.add(tree));
        book.roots.push(root);
    }
    if book.nodes.is_empty() || book.nodes.len() > MAX_NODES {
        return None;
    }
    book.bytes = book.write().ok()?;
    saved -= 8 * i64::from(BIT) * count(&book.bytes);
    (saved > 0).then_some((saved, book))
}

/// The first plies of a line as numbers, up to the first null move.
fn opening(plies: &[PlyKind]) -> impl Iterator<Item = u16> {
    plies.iter().take(DEPTH).map_while(|ply| match ply {
        PlyKind::Move {
            from,
            to,
            promotion,
        } => {
            let becomes = promotion.map_or(0, |role| role as u16);
            Some(*from as u16 | (*to as u16) << 6 | becomes << 12)
        }
        _ => None,
    })
}

/// A candidate node and all nodes below it.
#[derive(Debug)]
struct FittedTree {
    edges: Vec<(u8, u8, Option<FittedTree>)>,
    /// The bits that it saves and its estimated cost, in 1/1024 bit.
    gain: i64,
    price: i64,
}

impl Book {
    /// Adds a tree, each node before its children, in the order of the encoding.
    fn add(&mut self, tree: FittedTree) -> u32 {
        let here = self.push_node();
        let edges = tree.edges.into_iter().map(|(number, share, child)| Edge {
            number,
            share,
            child: child.map(|child| self.add(child)),
        });
        let edges: Vec<Edge> = edges.collect();
        self.set_edges(here, &edges);
        here
    }
}

/// Grows nodes at this depth, in plies.
#[derive(Debug, Clone, Copy)]
struct TreeFitter {
    fewest: usize,
    ply: usize,
}

impl TreeFitter {
    /// Grows the node of these games, which are sorted by opening and share all
    /// plies so far.
    fn fit_node<L: Level, const H: usize, const K: usize>(
        self,
        games: &[&SampleGame<'_>],
        follower: &Follower<'_, L, H, K>,
    ) -> Option<FittedTree> {
        if games.len() < self.fewest || self.ply >= DEPTH {
            return None;
        }
        let played = |game: &&SampleGame<'_>| game.plies.get(self.ply).copied();
        let mut children: Vec<Child<'_, '_>> = Vec::new();
        for games in games.chunk_by(|a, b| played(a) == played(b)) {
            let ply = games.first().and_then(played);
            let number = ply.and_then(|ply| Some((ply, follower.number(ply)?)));
            if let Some((ply, number)) = number {
                children.push(Child { ply, number, games });
            }
        }
        children.sort_by_key(|child| child.number);
        let step = games.len().div_ceil(GAMES_PER_NODE);
        let contexts = games.iter().step_by(step).map(|game| &game.context);
        let odds: Vec<_> = contexts
            .filter_map(|context| follower.probabilities(context, FREQUENCY_TOTAL))
            .collect();
        let (shares, gain) = shares(&children, &odds);
        let next = TreeFitter {
            ply: self.ply + 1,
            ..self
        };
        let mut tree = FittedTree {
            edges: Vec::new(),
            gain,
            price: 0,
        };
        let below = |child: &Child<'_, '_>| {
            if child.games.len() < self.fewest {
                return None;
            }
            let mut follower = follower.clone();
            follower.follow(child.ply, |_, _| ())?;
            next.fit_node(child.games, &follower)
        };
        let below = match self.ply < PARALLEL_DEPTH {
            true => parallel::map(&children, below),
            false => children.iter().map(below).collect(),
        };
        for ((child, share), below) in children.iter().zip(shares).zip(below) {
            let price = if share > 0 { CHILD_COST } else { LINK_COST };
            let below = below.filter(|tree| tree.gain > tree.price + price);
            if share == 0 && below.is_none() {
                continue;
            }
            tree.price += if share > 0 { SHARE_COST } else { 0 };
            if let Some(below) = &below {
                tree.price += below.price + price;
                tree.gain += below.gain;
            }
            tree.edges
                .push((u8::try_from(child.number).ok()?, share, below));
        }
        (!tree.edges.is_empty()).then_some(tree)
    }
}

/// A move played from a node, and the games that play it.
#[derive(Debug)]
struct Child<'g, 'a> {
    ply: PlyKind,
    number: usize,
    games: &'g [&'g SampleGame<'a>],
}

/// The shares of the moves that save the most, and the savings in 1/1024 bit.
/// `odds` are the model's frequencies of all legal moves, of each sampled game.
fn shares(children: &[Child<'_, '_>], odds: &[Vec<u32>]) -> (Vec<u8>, i64) {
    let mut shares = vec![0; children.len()];
    if odds.is_empty() || gain_bound(children, odds) <= SHARE_COST {
        return (shares, 0);
    }
    let mut tried: Vec<usize> = (0..children.len()).collect();
    tried.sort_by_key(|at| std::cmp::Reverse(children.get(*at).map(|child| child.games.len())));
    tried.truncate(MAX_FITTED_MOVES);
    let value = |shares: &[u8]| {
        let listed = shares.iter().filter(|share| **share > 0);
        let price: i64 = listed.map(|_| SHARE_COST).sum();
        gain(children, odds, shares) - price
    };
    let mut best = value(&shares);
    for _ in 0..SWEEPS {
        let before = best;
        for at in &tried {
            let total: u32 = shares.iter().map(|share| u32::from(*share)).sum();
            let own = shares.get(*at).copied().unwrap_or(0);
            let most = SHARE_TOTAL - 1 - total + u32::from(own);
            for share in 0..=u8::try_from(most).unwrap_or(0) {
                let mut other = shares.clone();
                if let Some(entry) = other.get_mut(*at) {
                    *entry = share;
                }
                let value = value(&other);
                if value > best {
                    (best, shares) = (value, other);
                }
            }
        }
        if best == before {
            break;
        }
    }
    let gain = gain(children, odds, &shares);
    (shares, gain)
}

/// An upper bound of the savings of any shares: the savings if the frequency of
/// each played move were known exactly.
fn gain_bound(children: &[Child<'_, '_>], odds: &[Vec<u32>]) -> i64 {
    let all: usize = children.iter().map(|child| child.games.len()).sum();
    let log_of = |count: usize| i64::from(log(u32::try_from(count).unwrap_or(u32::MAX)));
    let of_child = |child: &Child<'_, '_>| {
        let model = odds.iter().map(|odds| odds.get(child.number).copied());
        let model: i64 = model.map(|odds| i64::from(log(odds.unwrap_or(1)))).sum();
        let known = log_of(child.games.len()) - log_of(all) + i64::from(log(FREQUENCY_TOTAL));
        // The error of a logarithm is at most 2/1024 bit.
        count(child.games) * (known - model / count(odds) + 4)
    };
    children.iter().map(of_child).sum()
}

fn count<T>(all: &[T]) -> i64 {
    i64::try_from(all.len()).unwrap_or(i64::MAX)
}

/// The savings of these shares on the moves of a node, in 1/1024 bit.
fn gain(children: &[Child<'_, '_>], odds: &[Vec<u32>], shares: &[u8]) -> i64 {
    let total: u32 = shares.iter().map(|share| u32::from(*share)).sum();
    let rest = SHARE_TOTAL - total;
    let unlisted = i64::from(log(rest)) - i64::from(log(SHARE_TOTAL));
    let mut gain = 0;
    for (child, share) in children.iter().zip(shares) {
        let games = count(child.games);
        if *share == 0 {
            gain += games * unlisted;
            continue;
        }
        let mut sum = 0;
        for odds in odds {
            let model = odds.get(child.number).copied().unwrap_or(1);
            let mixed = u32::from(*share) * FREQUENCY_TOTAL + rest * model;
            sum += i64::from(log(mixed)) - i64::from(log(SHARE_TOTAL * model));
        }
        gain += games * sum / count(odds);
    }
    gain
}

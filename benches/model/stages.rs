//! The share of each stage in the time of a ply.
//!
//! A stage is timed by running the game up to it; the net by omitting it.

use super::{Played, encode, nanos_a_ply, no_preparation};
use pgna::internals::codec::range::{Encoder, Share};
use pgna::internals::model::{
    Board, FeatureContext, Isa, Kernel, Legal, Level, MoveHistory, Processor, Weights,
};
use std::hint::black_box;
use std::num::NonZeroU32;

/// Prints the shares in encoding.
pub(crate) fn print<L: Level, const H: usize, const K: usize>(
    weights: &Weights<L, H, K>,
    games: &[Played],
) {
    let processor = Processor::detect();
    let walk = |depth| {
        nanos_a_ply(games, no_preparation, |games, ()| {
            processor.run(Walk { games, depth });
        })
    };
    let [board, legal, features] = [Depth::Board, Depth::Legal, Depth::Features].map(walk);
    let coder = nanos_a_ply(games, no_preparation, |games, ()| code(games));
    let no_net = Weights::<L, 0, 0>::zero();
    let linear = nanos_a_ply(games, no_preparation, |games, ()| {
        drop(encode(&no_net, games, processor));
    });
    let all = nanos_a_ply(games, no_preparation, |games, ()| {
        drop(encode(weights, games, processor));
    });
    let stages = [
        ("board", board),
        ("legal moves", legal - board),
        ("facts", features - legal),
        ("features and their weights", linear - features - coder),
        ("net", all - linear),
        ("coder", coder),
    ];
    let shares =
        stages.map(|(name, nanos)| format!("{name} {nanos:.0} ns ({:.0} %)", 100.0 * nanos / all));
    println!("    {}", shares.join(", "));
}

/// The last stage that is run for each position.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Depth {
    Board,
    Legal,
    Features,
}

/// Plays all games and runs the stages for each position.
struct Walk<'g> {
    games: &'g [Played],
    depth: Depth,
}

impl Kernel for Walk<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        for game in self.games {
            let Some(mut board) = Board::new(&game.start) else {
                continue;
            };
            let mut history = MoveHistory::default();
            for (number, ply) in (0..).zip(&game.plies) {
                if self.depth >= Depth::Legal {
                    let legal = Legal::new(&board);
                    if self.depth == Depth::Features {
                        black_box(&FeatureContext::new::<I>(
                            &board,
                            &legal,
                            &history,
                            &game.context,
                            number,
                        ));
                    }
                    black_box(&legal);
                }
                let Some(m) = board.move_of_ply(*ply) else {
                    break;
                };
                let changes = board.play(m);
                history.push(m, &changes);
            }
        }
    }
}

/// Encodes one symbol per ply.
fn code(games: &[Played]) {
    let total = NonZeroU32::MIN.saturating_add(1 << 24);
    let mut encoder = Encoder::new();
    for _ in games.iter().flat_map(|game| &game.plies) {
        if let Some(share) = Share::new(1 << 20, 1 << 22, black_box(total)) {
            encoder.encode(share);
        }
    }
    drop(black_box(encoder.finish()));
}

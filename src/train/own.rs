//! A model of a collection's own: a model that is trained further on its games.

use super::learner::NetLearner;
use super::line::{Random, TrainingLine};
use crate::codec::pack;
use crate::model::{GameAdaptation, Level, MoveModel, Weights, WeightsVisitor, line};

/// The seed of the random numbers. It is fixed, so that training is reproducible.
pub const SEED: u64 = 1;

/// One game of so many is not trained on.
const HELD_OUT: usize = 10;

/// A model that was trained further.
#[derive(Debug)]
pub struct OwnModel {
    /// The bytes of its file.
    pub file: Vec<u8>,
    /// The space that it takes in an archive, in bytes.
    pub packed_bytes: u64,
    /// What it gains on games that it was not trained on.
    pub held_out: HeldOut,
}

/// The moves of games that a model was not trained on, in bytes a game.
#[derive(Debug, Clone, Copy, Default)]
pub struct HeldOut {
    /// The number of games.
    pub games: u64,
    /// With the model from which training started.
    pub before: f64,
    /// With the model.
    pub after: f64,
}

/// Trains a model further on games, in so many passes. Calls `on_game` after each game of a pass.
/// Returns `None` if this build leaves out the weights of `base`, or if training
/// gives weights that no reader takes, which has not been seen.
pub fn train(
    base: &MoveModel,
    games: &[TrainingLine],
    passes: u32,
    on_game: &mut dyn FnMut(),
) -> Option<OwnModel> {
    let visitor = TrainFurther {
        games,
        passes,
        on_game,
    };
    let file = base.visit(visitor)?;
    let model = MoveModel::from_bytes(&file).ok()?;
    let held_out: Vec<&TrainingLine> = part(games, true).collect();
    let bytes_a_game = |model: &MoveModel| {
        let bytes = model.visit(CodedBytes(&held_out)).unwrap_or(0);
        bytes as f64 / held_out.len().max(1) as f64
    };
    Some(OwnModel {
        packed_bytes: pack::compress(&file, 19).len() as u64,
        held_out: HeldOut {
            games: held_out.len() as u64,
            before: bytes_a_game(base),
            after: bytes_a_game(&model),
        },
        file,
    })
}

struct TrainFurther<'t, 's> {
    games: &'t [TrainingLine],
    passes: u32,
    on_game: &'s mut dyn FnMut(),
}

impl WeightsVisitor for TrainFurther<'_, '_> {
    type Output = Vec<u8>;

    fn visit<L: Level, const H: usize, const K: usize>(self, base: &Weights<L, H, K>) -> Vec<u8> {
        let mut learner = NetLearner::<L, H, K>::further(base);
        let mut order: Vec<&TrainingLine> = part(self.games, false).collect();
        let all = order.len() as f32 * self.passes as f32;
        let mut done = 0;
        for pass in 0..self.passes {
            Random(SEED + u64::from(pass)).shuffle(&mut order);
            for game in &order {
                learner.learn(game, done as f32 / all);
                (self.on_game)();
                done += 1;
            }
        }
        let mut weights = learner.weights();
        // What the games change is in the adaptations of segments.
        weights.temperature = base.temperature;
        weights.to_bytes()
    }
}

/// The games that are trained on, or those that are not.
fn part(games: &[TrainingLine], is_held_out: bool) -> impl Iterator<Item = &TrainingLine> {
    let is_of_part = move |number| (number % HELD_OUT == HELD_OUT - 1) == is_held_out;
    let numbered = games.iter().enumerate();
    let of_part = numbered.filter(move |(number, _)| is_of_part(*number));
    of_part.map(|(_, game)| game)
}

/// The bytes of the moves of games, each in a stream of its own.
struct CodedBytes<'g>(&'g [&'g TrainingLine]);

impl WeightsVisitor for CodedBytes<'_> {
    type Output = u64;

    fn visit<L: Level, const H: usize, const K: usize>(self, weights: &Weights<L, H, K>) -> u64 {
        let bytes = self.0.iter().map(|game| {
            let none = GameAdaptation::NONE;
            let bytes = line::encode(weights, &game.start, &game.plies, game.context, none);
            bytes.map_or(0, |bytes| bytes.len() as u64)
        });
        bytes.sum()
    }
}

/// Fits the outputs of the net again, starting from values limited to the range of the 8-bit
/// weights, because the other weights are now rounded.
pub fn fit_outputs<L: Level, const H: usize, const K: usize>(
    weights: &mut Weights<L, H, K>,
    games: &[&TrainingLine],
    passes: u64,
) {
    let mut learner = NetLearner::from_weights(weights);
    let mut games = games.to_vec();
    let all = games.len() as f32 * passes as f32;
    let mut done = 0;
    for pass in 0..passes {
        Random(SEED + pass).shuffle(&mut games);
        for game in &games {
            learner.learn_outputs(game, done as f32 / all);
            done += 1;
        }
    }
    learner.write_outputs(weights);
}

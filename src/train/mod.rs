//! Training of move models in floats, on games; the result is rounded to integers.
//!
//! | module | contents |
//! |---|---|
//! | `line` | the games to train on |
//! | `learner`, `net` | the model in floats, its probabilities and gradients |
//! | `record` | which weights contribute to which moves of a position |
//! | `adagrad` | steps of gradient descent |
//! | `own` | a model of a collection's own, from another model |
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    reason = "floats and trusted indexes: nothing here reads archives or writes the format"
)]

mod adagrad;
mod learner;
mod line;
mod net;
mod own;
mod record;

pub use learner::NetLearner;
pub use line::{Random, TrainingLine};
pub use own::{HeldOut, OwnModel, SEED, fit_outputs, train};

//! The move model, which gives every legal move of a position a probability (`spec/models.md`).
//!
//! Data that all moves of a position share is computed once ([`FeatureContext`]). Each move is
//! then emitted to a [`Sink`] as the indexes of its features. Inference sums their weights and the
//! trainer records them, so that both use the same features.
//!
//! ```text
//! Board ─► Map ─► Legal ─┐
//!            └─► Codes ─► Threats ─► FeatureContext ─► features ─► Weights ─► Frequencies
//! History, Context ──────────────────┘                   Net ──────┘
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `board`, `legal` | the position seen by the side to move; the legal moves, in order |
//! | `maps`, `squares` | the squares that each side attacks, with counts and classes of attackers |
//! | `exchange`, `threats` | static exchange evaluation; hanging pieces and possible threats |
//! | `context`, `history` | data of the game; its last moves |
//! | `scene`, `features` | the input of feature extraction; the features of each move |
//! | `groups` | the groups of features, and the groups of each level |
//! | [`net`], `weights`, `probabilities` | from features to frequencies, in integers |
//! | [`line`](mod@line) | encoding and decoding of a line of moves |
//! | `tuning` | adaptation of a model to a segment |
//! | `shipped` | the built-in models, one type for all |
//! | `table`, `hash` | tables without bounds checks; the bit mixer |
//! | `simd` | kernels with and without newer CPU instructions |

mod board;
mod context;
mod exchange;
mod features;
mod groups;
mod hash;
mod history;
mod legal;
pub mod line;
mod maps;
pub mod net;
mod probabilities;
mod scene;
mod shipped;
mod simd;
mod squares;
mod table;
mod threats;
mod tuning;
mod weights;

pub use board::{Board, Changes, Move, Placed, Side};
pub use context::{Context, Ratings};
pub use features::{Sink, emit_features};
pub use groups::{Default, Fast, Group, Groups, Level, Max, Starts};
pub use history::{History, Played};
pub use legal::{Legal, PROMOTIONS, Piece};
pub use maps::{Map, Times};
pub use scene::FeatureContext;
pub use shipped::{BuiltinFollower, BuiltinModel};
pub use simd::{Isa, Kernel, Plain, Processor};
pub use squares::{Code, Codes};
pub use tuning::{
    Adaptation, AdaptationError, AdaptationParts, Adaptations, Advice, Game, Hints, Temperature,
    players,
};
pub use weights::Weights;

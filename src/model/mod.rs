//! The move model: every legal move of a position gets a probability
//! (`spec/models.md`).
//!
//! What a position's moves have in common is found once ([`FeatureContext`]); then each
//! move is emitted to a [`Sink`] as the indexes of the weights that apply to it. A
//! model adds the weights up, a trainer notes them: both see the same.
//!
//! ```text
//! Board ─► Map ─► Legal ─┐
//!            └─► Codes ─► Threats ─► Scene ─► features ─► Weights ─► Frequencies ─► range coder
//! History, Context ──────────────────┘          Net ──────┘
//! ```
//!
//! | module | holds |
//! |---|---|
//! | `board`, `legal` | the position as the side to move sees it; its moves in the model's order |
//! | `maps`, `squares` | which squares each side attacks, how often, and with what |
//! | `exchange`, `threats` | what captures win; what hangs and what can be threatened |
//! | `context`, `history` | what is known of the game; its last moves |
//! | `scene`, `features` | all of this together; the features of each move |
//! | `groups` | the groups of features, and which of them a level has |
//! | [`net`], `weights`, `probabilities` | from features to frequencies, in integers |
//! | [`line`](mod@line) | a line of moves into bytes and back |
//! | `tuning` | what the games of a segment add to a model |
//! | `shipped` | the models of this release, one type for all |
//! | `table`, `hash` | tables without checks of bounds; the mixing of bits |
//! | `simd` | the same work with and without newer instructions |

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

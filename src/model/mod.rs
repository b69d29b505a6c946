//! The move model, which gives every legal move of a position a probability (`spec/models.md`).
//!
//! Data that all moves of a position share is computed once ([`FeatureContext`]). Each move is
//! then emitted to a [`FeatureSink`] as the indexes of its features. Inference sums their weights and the
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
//! | `values`, `exchange`, `threats` | values of pieces; static exchange evaluation; hanging pieces and possible threats |
//! | `context`, `history` | data of the game; its last moves |
//! | `feature_context`, `features` | the input of feature extraction; the features of each move |
//! | `groups` | the groups of features, and the groups of each level |
//! | [`net`], `weights`, `probabilities` | from features to frequencies, in integers |
//! | `follower` | the state of a model in a game, which codes one ply at a time |
//! | [`line`](mod@line) | encoding and decoding of a line of moves |
//! | `adaptation` | adaptation of a model to a segment |
//! | `coded_ply` | plies as they were coded, against which a decoder is checked |
//! | `move_model` | any model |
//! | `builtin`, `loader` | the built-in models and their weights |
//! | `builtin_follower` | the state of one in a game, one type for all |
//! | `table`, `hash` | tables without bounds checks; the bit mixer |
//! | `simd` | kernels with and without newer CPU instructions |

mod adaptation;
mod board;
mod builtin;
mod builtin_follower;
mod coded_ply;
mod context;
mod exchange;
mod feature_context;
mod features;
mod follower;
mod groups;
mod hash;
mod history;
mod legal;
pub mod line;
mod loader;
mod maps;
mod move_model;
pub mod net;
mod probabilities;
mod simd;
mod squares;
mod table;
mod threats;
mod values;
mod weights;

pub use adaptation::{
    Adaptation, AdaptationError, AdaptationParts, GameAdaptation, SampleGame, SegmentModel,
    SideInfo, Temperature, players,
};
pub use board::{Board, Changes, Move, PlacedPiece, ViewSide};
pub use builtin::{BuiltinModel, InvalidWeights};
pub use builtin_follower::{BuiltinFollower, FollowerError};
pub use coded_ply::{CodedPly, StartInputs};
pub use context::{GameContext, Ratings};
pub use feature_context::FeatureContext;
pub use features::{FeatureSink, emit_features};
pub use follower::Follower;
pub use groups::{Default, Fast, FeatureGroup, GroupOffsets, Groups, Level, Max};
pub use history::{MoveHistory, PlayedMove};
pub use legal::{Legal, MODEL_PROMOTIONS, PieceTargets};
pub use maps::{AttackCounts, AttackMap};
pub(crate) use move_model::MAX_FILE_BYTES;
pub use move_model::{InvalidModel, MoveModel, WeightsVisitor};
pub use simd::{Baseline, Isa, Kernel, MAX_UNIT, Processor};
pub use squares::{Codes, SquareCode};
pub use weights::Weights;

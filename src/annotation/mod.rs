//! The marks between the plies: comments as templates and fields, glyphs, variations
//! (`spec/annotations.md`).
//!
//! ```text
//! comments ─ cut ─► tokens ─ TemplateCounts ─► Templates
//! Templates ─► Patterns, Slots, Schemes, Distributions = Notation
//! nodes ─ Item::of ─► Items ─ Notation::write ─► bits and prose of a record
//! bits and prose ─ Notation::read_marks ─► Items ─► nodes
//! ```

mod candidates;
mod clock;
mod digits;
mod families;
mod fit;
mod game_values;
mod history;
mod item;
mod learn;
mod lex;
mod line;
pub mod lines;
mod marks;
mod measure;
mod notation;
mod number;
mod pattern;
mod products;
mod prose;
mod reference;
mod slots;
mod squares;
mod template;
mod templates;
mod time;
mod walk;

pub use candidates::SchemeCounts;
pub use clock::ClockFormat;
pub use digits::NumberDigits;
pub use fit::{NotationBytes, NotationFit, PatternCounts};
pub use game_values::GameValues;
pub use item::{Item, Items, Note};
pub use learn::TemplateCounts;
pub use marks::EncodedMarks;
pub use measure::{MarkBits, ValueBits};
pub use notation::Notation;
pub use number::{EvalScore, Mates, NumberFormat, NumberSign};
pub use pattern::{MAX_PATTERN_MARKS, MAX_PATTERNS};
pub use products::ProductCounts;
pub use slots::MAX_SLOTS;
pub use template::{
    CommentTemplate, FieldContent, MAX_FIELDS, MAX_LITERAL_BYTES, TemplateError, TemplateField,
};
pub use templates::{MAX_TEMPLATES, Templates};
pub use time::TimeControl;

use crate::bits::BitsError;
use crate::codec::distributions::DistributionError;

/// Limits on the content of a movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The maximum number of marks, fields of comments and further list items.
    pub marks: usize,
}

impl Bounds {
    /// No limits, for writing.
    pub(crate) const NONE: Bounds = Bounds { marks: usize::MAX };
}

/// Annotation decoding errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AnnotationError {
    /// The input ends early or has trailing bytes.
    #[error("marks: {0}")]
    Bits(#[from] BitsError),
    /// A malformed template.
    #[error(transparent)]
    TemplateBytes(#[from] TemplateError),
    /// Malformed distributions, or bits that do not match them.
    #[error("marks: {0}")]
    Distribution(#[from] DistributionError),
    /// An unknown pattern or kind of mark.
    #[error("marks: no such pattern")]
    Pattern,
    /// An unknown template.
    #[error("marks: no such template")]
    Template,
    /// A malformed scheme.
    #[error("marks: malformed scheme")]
    Scheme,
    /// The prose ends early or has trailing bytes.
    #[error("marks: text of comments that does not go with them")]
    Text,
    /// More marks than [`Bounds`] allow.
    #[error("marks: more than allowed")]
    Limit,
}

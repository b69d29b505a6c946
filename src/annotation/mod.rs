//! What stands between the plies: comments as templates and fields, glyphs,
//! variations (`spec/annotations.md`).
//!
//! ```text
//! comments ─ cut ─► tokens ─ TemplateCounts ─► Templates ─► Patterns, Slots, Schemes, Forecast = Notation
//! nodes ─ Item::of ─► Items ─ Notation::write ─► bits of a record, its prose ─ read_marks ─► Items ─► nodes
//! ```

mod candidates;
mod clock;
mod digits;
mod families;
mod fit;
mod history;
mod item;
mod learn;
mod lex;
mod line;
pub mod lines;
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
pub use digits::Digits;
pub use fit::{Fit, NotationBytes, PatternCounts};
pub use item::{Item, Items, Note};
pub use learn::TemplateCounts;
pub use measure::{MarkBits, ValueBits};
pub use notation::{Notation, Written};
pub use number::{Mates, NumberFormat, Score, Sign};
pub use pattern::{MAX_PATTERN_MARKS, MAX_PATTERNS};
pub use products::ProductCounts;
pub use slots::MAX_SLOTS;
pub use template::{Field, MAX_FIELDS, MAX_LITERAL_BYTES, Template, TemplateError, Value};
pub use templates::{MAX_TEMPLATES, Templates};
pub use time::TimeControl;

use crate::bits::BitsError;
use crate::codec::forecast::ForecastError;

/// How much a movetext may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Marks and the fields of comments together.
    pub marks: usize,
}

impl Bounds {
    /// No bounds: for what is written.
    pub(crate) const NONE: Bounds = Bounds { marks: usize::MAX };
}

/// Why marks, or the tables that they are read with, are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AnnotationError {
    /// Bytes end early, or go on.
    #[error("marks: {0}")]
    Bits(#[from] BitsError),
    /// A template is none.
    #[error(transparent)]
    TemplateBytes(#[from] TemplateError),
    /// The forecast is none, or the bits do not go with it.
    #[error("marks: {0}")]
    Forecast(#[from] ForecastError),
    /// There is no such pattern or kind of mark.
    #[error("marks: no such pattern")]
    Pattern,
    /// There is no such template, or it has no such values.
    #[error("marks: no such template")]
    Template,
    /// A scheme of numbers has no meaning.
    #[error("marks: malformed scheme")]
    Scheme,
    /// The text of comments ends early or goes on.
    #[error("marks: text of comments that does not go with them")]
    Text,
    /// There are more marks than the text can hold.
    #[error("marks: more than allowed")]
    Limit,
}

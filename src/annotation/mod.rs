//! What stands between the plies: comments as templates and fields, glyphs,
//! variations.
//!
//! ```text
//! comment ─ cut ─► tokens ─┬─ TemplateCounts ─► Templates
//!                          └─ Templates::find ─► number of a template, values ─ print ─► comment
//! ```

mod clock;
mod digits;
mod learn;
mod lex;
mod number;
mod squares;
mod template;
mod templates;

pub use clock::ClockFormat;
pub use digits::Digits;
pub use learn::TemplateCounts;
pub use number::{Mates, NumberFormat, Score, Sign};
pub use template::{Field, MAX_FIELDS, Template, TemplateError, Value};
pub use templates::{MAX_TEMPLATES, Templates};

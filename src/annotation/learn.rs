//! Learning templates from the comments of a segment.

use super::clock::{ClockFormat, ClockText};
use super::digits::DigitCounts;
use super::lex::CommentToken;
use super::number::{Mates, NumberFormat, NumberSign, NumberText};
use super::template::{CommentTemplate, MAX_LITERAL_BYTES, TemplateField, tokens};
use super::templates::{MAX_TEMPLATES, Templates};
use foldhash::HashMap;

/// Longer comments get no template: they rarely repeat.
const MAX_TEXT_BYTES: usize = MAX_LITERAL_BYTES;

/// A template is stored if the texts that match it are more than this many
/// times its own size.
const LEAST_USE: u64 = 2;

/// Counts comments by the key of their potential template.
#[derive(Debug, Clone, Default)]
pub struct TemplateCounts {
    counts: HashMap<Vec<u8>, Seen>,
}

/// Statistics of the comments with one key.
#[derive(Debug, Clone, Default)]
struct Seen {
    count: u64,
    bytes: u64,
    /// The fields with the literal before each; `end` is the literal after the
    /// last.
    fields: Vec<(Vec<u8>, SeenField)>,
    end: Vec<u8>,
}

#[derive(Debug, Clone)]
enum SeenField {
    Number(NumberCounts),
    Clock(ClockCounts),
    Squares,
    Arrows,
    Moves,
}

impl TemplateCounts {
    /// Counts a comment.
    pub fn add(&mut self, text: &[u8]) {
        if text.len() > MAX_TEXT_BYTES {
            return;
        }
        let (tokens, key) = tokens(text);
        let Some(key) = key else { return };
        let seen = self.counts.entry(key).or_insert_with(|| Seen::of(&tokens));
        seen.count += 1;
        seen.bytes += text.len() as u64;
        let values = tokens
            .iter()
            .filter(|token| !matches!(token, CommentToken::Literal(_)));
        for ((_, field), token) in seen.fields.iter_mut().zip(values) {
            field.add(token);
        }
    }

    /// Adds the counts of another instance.
    pub fn merge(&mut self, other: TemplateCounts) {
        for (key, other) in other.counts {
            match self.counts.get_mut(&key) {
                Some(seen) => seen.merge(&other),
                None => {
                    self.counts.insert(key, other);
                }
            }
        }
    }

    /// The templates that pay off, the most frequent first.
    pub fn finish(self) -> Templates {
        let mut seen: Vec<(Vec<u8>, Seen)> = self.counts.into_iter().collect();
        seen.retain(|(_, seen)| seen.pays());
        seen.sort_unstable_by(|(a, a_seen), (b, b_seen)| {
            let by_count = b_seen.count.cmp(&a_seen.count);
            by_count.then_with(|| a.cmp(b))
        });
        seen.truncate(MAX_TEMPLATES);
        Templates::new(seen.into_iter().map(|(_, seen)| seen.finish()).collect())
    }
}

impl Seen {
    fn of(tokens: &[CommentToken<'_>]) -> Seen {
        let mut seen = Seen::default();
        let mut literal: &[u8] = &[];
        for token in tokens {
            match token {
                CommentToken::Literal(text) => literal = text,
                token => {
                    let literal = std::mem::take(&mut literal).to_vec();
                    seen.fields.push((literal, SeenField::of(token)));
                }
            }
        }
        seen.end = literal.to_vec();
        seen
    }

    fn merge(&mut self, other: &Seen) {
        self.count += other.count;
        self.bytes += other.bytes;
        for ((_, field), (_, other)) in self.fields.iter_mut().zip(&other.fields) {
            field.merge(other);
        }
    }

    /// Text without a template compresses to about a third; a stored template
    /// costs about a third of its own bytes as well.
    fn pays(&self) -> bool {
        let literals = self.fields.iter().map(|(literal, _)| literal.len() + 3);
        let template = literals.sum::<usize>() + self.end.len() + 3;
        self.bytes > LEAST_USE * template as u64
    }

    fn finish(self) -> CommentTemplate {
        let fields = self.fields.into_iter();
        CommentTemplate {
            fields: fields.map(|(text, field)| (text, field.finish())).collect(),
            end: self.end,
        }
    }
}

impl SeenField {
    fn of(token: &CommentToken<'_>) -> SeenField {
        match token {
            CommentToken::Clock(clock) => SeenField::Clock(ClockCounts::new(clock.has_hours())),
            CommentToken::Squares(_) => SeenField::Squares,
            CommentToken::Arrows(_) => SeenField::Arrows,
            CommentToken::Moves(_) => SeenField::Moves,
            CommentToken::Literal(_) | CommentToken::Number(_) => {
                SeenField::Number(NumberCounts::default())
            }
        }
    }

    fn add(&mut self, token: &CommentToken<'_>) {
        match (self, token) {
            (SeenField::Number(counts), CommentToken::Number(number)) => counts.add(number),
            (SeenField::Clock(counts), CommentToken::Clock(clock)) => counts.add(clock),
            _ => {}
        }
    }

    fn merge(&mut self, other: &SeenField) {
        match (self, other) {
            (SeenField::Number(counts), SeenField::Number(other)) => counts.merge(other),
            (SeenField::Clock(counts), SeenField::Clock(other)) => counts.merge(other),
            _ => {}
        }
    }

    fn finish(self) -> TemplateField {
        match self {
            SeenField::Number(counts) => TemplateField::Number(counts.finish()),
            SeenField::Clock(counts) => TemplateField::Clock(counts.finish()),
            SeenField::Squares => TemplateField::Squares,
            SeenField::Arrows => TemplateField::Arrows,
            SeenField::Moves => TemplateField::Moves,
        }
    }
}

/// The formats of the numbers of a field.
#[derive(Debug, Clone, Default)]
struct NumberCounts {
    digits: DigitCounts,
    /// Positive numbers and zeros, each without and with a plus.
    above: [u64; 2],
    zero: [u64; 2],
    /// Indexed by `Mates`.
    mates: [u64; 4],
}

impl NumberCounts {
    fn add(&mut self, number: &NumberText<'_>) {
        let [none, hash_sign, sign_hash, sign_m] = &mut self.mates;
        match number.mates {
            Mates::None => {
                self.digits.add(number.fraction);
                *none += 1;
            }
            Mates::HashSign => *hash_sign += 1,
            Mates::SignHash => *sign_hash += 1,
            Mates::SignM => *sign_m += 1,
        }
        let counts = match number.is_zero() {
            true => &mut self.zero,
            false => &mut self.above,
        };
        let [bare, plus] = counts;
        match number.sign {
            b'+' => *plus += 1,
            _ if number.is_negative() => {}
            _ => *bare += 1,
        }
    }

    fn merge(&mut self, other: &NumberCounts) {
        self.digits.merge(&other.digits);
        for (counts, other) in [(&mut self.above, other.above), (&mut self.zero, other.zero)] {
            counts
                .iter_mut()
                .zip(other)
                .for_each(|(count, other)| *count += other);
        }
        let mates = self.mates.iter_mut().zip(other.mates);
        mates.for_each(|(count, other)| *count += other);
    }

    fn finish(self) -> NumberFormat {
        let ([bare, plus], [bare_zero, plus_zero]) = (self.above, self.zero);
        let [_, hash_sign, sign_hash, sign_m] = self.mates;
        let fits = [
            (bare + bare_zero, NumberSign::Bare),
            (plus + plus_zero, NumberSign::Plus),
            (plus + bare_zero, NumberSign::PlusUnlessZero),
        ];
        let best = fits.into_iter().rev().max_by_key(|(count, _)| *count);
        let sign = best.map_or(NumberSign::Bare, |(_, sign)| sign);
        // `#3` fits both styles with a hash.
        let mates = if hash_sign + sign_hash + sign_m == 0 {
            Mates::None
        } else if sign_m > hash_sign + sign_hash {
            Mates::SignM
        } else if sign_hash > 0 {
            Mates::SignHash
        } else {
            Mates::HashSign
        };
        NumberFormat {
            digits: self.digits.best(),
            sign,
            mates,
        }
    }
}

/// The formats of the times of a field.
#[derive(Debug, Clone)]
struct ClockCounts {
    has_hours: bool,
    digits: DigitCounts,
    one_digit: u64,
    padded: u64,
}

impl ClockCounts {
    fn new(has_hours: bool) -> Self {
        ClockCounts {
            has_hours,
            digits: DigitCounts::default(),
            one_digit: 0,
            padded: 0,
        }
    }

    fn add(&mut self, clock: &ClockText<'_>) {
        self.digits.add(clock.fraction);
        match clock.first {
            [_] => self.one_digit += 1,
            [b'0', _] => self.padded += 1,
            _ => {}
        }
    }

    fn merge(&mut self, other: &ClockCounts) {
        self.digits.merge(&other.digits);
        self.one_digit += other.one_digit;
        self.padded += other.padded;
    }

    fn finish(self) -> ClockFormat {
        ClockFormat {
            has_hours: self.has_hours,
            is_padded: self.padded > self.one_digit,
            digits: self.digits.best(),
        }
    }
}

//! The notation of a segment: templates, patterns, the prediction scheme of
//! each slot, and distributions.

use super::AnnotationError;
use super::families::families;
use super::item::{Item, Items};
use super::lines::{self, Fields, Kinds, LineError, LineState, code_lines, pass_structure};
use super::pattern::{Patterns, Sign};
use super::reference::ReferenceScheme;
use super::slots::{SlotKind, Slots, ValueSlot};
use super::templates::Templates;
use crate::bits::{ByteReader, put_varint};
use crate::chess::PlyKind;
use crate::codec::distributions::{
    Distributions, Family, SymbolCounter, SymbolReader, SymbolWriter, Tally, Traced,
};
use crate::codec::range::{Decoder, Encoder};
use crate::codec::trace::Trace;
use crate::limits::Limits;
use std::sync::{Arc, LazyLock};

/// The number of templates that patterns can name: the most frequent ones.
pub(super) const NAMED: u16 = 32;

/// The tables with which marks are coded.
#[derive(Debug, Clone)]
pub struct Notation {
    pub(super) templates: Templates,
    pub(super) patterns: Patterns,
    pub(super) slots: Slots,
    pub(super) schemes: Vec<ReferenceScheme>,
    pub(super) distributions: Distributions,
    pub(super) kinds: Kinds,
    pub(super) lines: Distributions,
}

impl Default for Notation {
    /// The notation of a segment without tables.
    fn default() -> Self {
        let unfitted = |families: &[Family]| {
            Distributions::read(&[], families, &Limits::default()).unwrap_or_default()
        };
        Notation {
            templates: Templates::default(),
            patterns: Patterns::default(),
            slots: Slots::default(),
            schemes: Vec::new(),
            distributions: unfitted(&families(0)),
            kinds: Kinds::default(),
            lines: unfitted(&lines::FAMILIES),
        }
    }
}

impl Notation {
    /// The notation of segments without tables, which share it: to build it takes longer than to
    /// read the other tables of a small segment.
    pub fn of_no_tables() -> Arc<Notation> {
        static SHARED: LazyLock<Arc<Notation>> = LazyLock::new(Arc::default);
        Arc::clone(&SHARED)
    }

    /// Decodes the tables: `shapes` holds templates, patterns and schemes, `distributions` the
    /// distributions of marks, `lines` those of the lines in comments. All are empty if the segment
    /// has no marks.
    ///
    /// # Errors
    /// The bytes are malformed.
    pub fn read(
        shapes: &[u8],
        distributions: &[u8],
        lines: &[u8],
        limits: &Limits,
    ) -> Result<Self, AnnotationError> {
        let mut input = ByteReader::new(shapes);
        let mut templates = Templates::default();
        let mut patterns = Patterns::default();
        let mut slots = Slots::default();
        let mut schemes = Vec::new();
        if !shapes.is_empty() {
            let count = input.length()?;
            templates = Templates::read(&mut input, count)?;
            let count = input.length()?;
            let read = Patterns::read(&mut input, count, templates.len())?;
            patterns = read.ok_or(AnnotationError::Pattern)?;
            slots = Slots::of(&templates);
            let count = slots.slots.len();
            for _ in 0..count {
                let scheme = ReferenceScheme::read(&mut input, count)?;
                schemes.push(scheme.ok_or(AnnotationError::Scheme)?);
            }
        }
        input.finish()?;
        let families = families(slots.slots.len());
        Ok(Notation {
            kinds: Kinds::of(&templates),
            templates,
            patterns,
            slots,
            schemes,
            distributions: Distributions::read(distributions, &families, limits)?,
            lines: Distributions::read(lines, &lines::FAMILIES, limits)?,
        })
    }

    /// Whether any template has a field of moves.
    pub fn has_lines(&self) -> bool {
        self.kinds.any()
    }

    /// Whether any of these comments has a field of moves.
    pub fn has_lines_in(&self, items: &Items<'_>) -> bool {
        self.has_lines() && items.iter().any(|(_, item)| self.kinds.are_in(item))
    }

    /// Counts the lines in the comments of a movetext with these plies.
    pub fn count_lines(
        &self,
        tally: &mut Tally,
        start: &LineState<'_>,
        plies: &[PlyKind],
        items: &mut Items<'_>,
    ) {
        // A movetext that cannot be written is counted up to the error.
        let counter = &mut SymbolCounter(tally);
        let _ = code_lines(counter, &self.kinds, start, plies, items, Fields::Given);
    }

    /// Encodes the lines in the comments of a movetext. Returns the trace too, or `None` if
    /// they cannot be encoded.
    pub fn write_lines(
        &self,
        start: &LineState<'_>,
        plies: &[PlyKind],
        items: &mut Items<'_>,
    ) -> Option<(Vec<u8>, Trace)> {
        let (mut encoder, mut trace) = (Encoder::new(), Trace::default());
        pass_structure(&mut trace, &self.kinds, plies, items).ok()?;
        let writer = &mut Traced {
            coder: SymbolWriter(&self.lines, &mut encoder),
            steps: &mut trace,
        };
        code_lines(writer, &self.kinds, start, plies, items, Fields::Given).ok()?;
        Some((encoder.finish(), trace))
    }

    /// Decodes the lines in the comments of a movetext and stores them in the
    /// items. Their texts have at most `max_bytes` bytes in total.
    ///
    /// # Errors
    /// The bits do not encode such lines.
    pub fn read_lines(
        &self,
        bits: &[u8],
        start: &LineState<'_>,
        plies: &[PlyKind],
        items: &mut Items<'_>,
        max_bytes: usize,
    ) -> Result<(), LineError> {
        let mut decoder = Decoder::new(bits);
        let reader = &mut SymbolReader(&self.lines, &mut decoder);
        code_lines(
            reader,
            &self.kinds,
            start,
            plies,
            items,
            Fields::Read(max_bytes),
        )?;
        Ok(decoder.finish()?)
    }

    /// Decodes the lines as [`Notation::read_lines`] does, with the shares that a trace has for
    /// their moves. `start` is that of the encoder.
    ///
    /// # Errors
    /// The bits do not encode such lines, or others than those of the trace.
    pub fn read_traced_lines(
        &self,
        bits: &[u8],
        trace: &Trace,
        start: &LineState<'_>,
        plies: &[PlyKind],
        items: &mut Items<'_>,
        max_bytes: usize,
    ) -> Result<(), LineError> {
        let (mut decoder, mut steps) = (Decoder::new(bits), trace.reader());
        pass_structure(&mut steps, &self.kinds, plies, items)?;
        let reader = &mut Traced {
            coder: SymbolReader(&self.lines, &mut decoder),
            steps: &mut steps,
        };
        let fields = Fields::Read(max_bytes);
        code_lines(reader, &self.kinds, start, plies, items, fields)?;
        steps.finish()?;
        Ok(decoder.finish()?)
    }

    /// Encodes the templates, patterns and schemes.
    pub(super) fn write_shapes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.templates.len() as u64);
        self.templates.write(&mut out);
        put_varint(&mut out, self.patterns.len() as u64);
        self.patterns.write(&mut out);
        self.schemes
            .iter()
            .for_each(|scheme| scheme.write(&mut out));
        out
    }

    /// The templates.
    pub fn templates(&self) -> &Templates {
        &self.templates
    }

    /// The pattern symbol of a group.
    pub(super) fn pattern_of(&self, items: &[(usize, Item<'_>)]) -> u8 {
        self.patterns.symbol(&signs(items))
    }

    /// A slot and its scheme. Before schemes are chosen, the default scheme
    /// applies.
    pub(super) fn slot(&self, slot: usize) -> (ValueSlot, &ReferenceScheme) {
        const NONE: ValueSlot = ValueSlot {
            unit: 1,
            kind: SlotKind::Other,
        };
        let form = self.slots.slots.get(slot).copied().unwrap_or(NONE);
        (
            form,
            self.schemes.get(slot).unwrap_or(&ReferenceScheme::DEFAULT),
        )
    }
}

/// The signature of a group, by which its pattern is found.
pub(super) fn signs(items: &[(usize, Item<'_>)]) -> Vec<Sign> {
    items.iter().map(|(_, item)| item.sign(NAMED)).collect()
}

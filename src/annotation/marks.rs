//! Writing, reading, counting and measuring the marks of a movetext with a
//! notation.

use super::item::{Item, Items};
use super::measure::{Gauge, MarkBits};
use super::notation::Notation;
use super::prose::ProseFields;
use super::time::TimeControl;
use super::walk::AnnotationWalk;
use super::{AnnotationError, Bounds};
use crate::codec::distributions::{DistributionError, SymbolCoder, SymbolReader, SymbolWriter};
use crate::codec::range::{Decoder, Encoder};

/// The encoded marks of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EncodedMarks {
    /// The range-coded symbols.
    pub bits: Vec<u8>,
    /// The texts of comments without a template.
    pub prose: Vec<u8>,
}

impl Notation {
    /// Encodes the marks of a movetext of `plies` plies. Returns `None` if they
    /// cannot be encoded.
    pub fn write(
        &self,
        plies: usize,
        items: &[(usize, Item<'_>)],
        time: TimeControl,
    ) -> Option<EncodedMarks> {
        let mut encoder = Encoder::new();
        let writer = SymbolWriter(&self.distributions, &mut encoder);
        let prose = ProseFields::Written(Vec::new());
        let walk = AnnotationWalk::new(self, writer, prose, time, Bounds::NONE);
        let (_, prose) = walk.run(plies, Some(items)).ok()?;
        Some(EncodedMarks {
            bits: encoder.finish(),
            prose: match prose {
                ProseFields::Written(prose) => prose,
                ProseFields::Unread(_) => Vec::new(),
            },
        })
    }

    /// Passes marks through a coder that neither reads nor writes bytes.
    pub(super) fn code<'a, C: SymbolCoder>(
        &self,
        coder: C,
        plies: usize,
        items: &[(usize, Item<'a>)],
        time: TimeControl,
    ) -> Option<()> {
        let prose = ProseFields::Written(Vec::new());
        let walk = AnnotationWalk::new(self, coder, prose, time, Bounds::NONE);
        walk.run(plies, Some(items)).ok()?;
        Some(())
    }

    /// Decodes the marks of a movetext of `plies` plies.
    ///
    /// # Errors
    /// The bits or the prose are malformed, or there are more marks than
    /// allowed.
    pub fn read_marks<'a>(
        &self,
        bits: &[u8],
        prose: &'a [u8],
        plies: usize,
        time: TimeControl,
        bounds: Bounds,
    ) -> Result<Items<'a>, AnnotationError> {
        let mut decoder = Decoder::new(bits);
        let reader = SymbolReader(&self.distributions, &mut decoder);
        let items = self.read_with(reader, prose, plies, time, bounds)?;
        decoder.finish().map_err(DistributionError::from)?;
        Ok(items)
    }

    fn read_with<'a, C: SymbolCoder>(
        &self,
        reader: C,
        prose: &'a [u8],
        plies: usize,
        time: TimeControl,
        bounds: Bounds,
    ) -> Result<Items<'a>, AnnotationError> {
        let walk = AnnotationWalk::new(self, reader, ProseFields::Unread(prose), time, bounds);
        let (items, prose) = walk.run(plies, None)?;
        match prose {
            ProseFields::Unread(rest) if !rest.is_empty() => Err(AnnotationError::Text),
            _ => Ok(items),
        }
    }

    /// Measures the coded size of the marks of a movetext.
    ///
    /// # Errors
    /// The same as for [`Notation::read_marks`].
    pub fn measure(
        &self,
        bits: &[u8],
        prose: &[u8],
        plies: usize,
        time: TimeControl,
        bounds: Bounds,
    ) -> Result<MarkBits, AnnotationError> {
        let mut decoder = Decoder::new(bits);
        let mut measured = MarkBits::default();
        let reader = SymbolReader(&self.distributions, &mut decoder);
        let gauge = Gauge::new(self, reader, &mut measured);
        let items = self.read_with(gauge, prose, plies, time, bounds)?;
        measured.marks = items.len();
        Ok(measured)
    }
}

//! Texts of dates that are no dates.

use super::block::QueryBlock;
use super::tag_reader::TagReader;
use crate::archive::{Archive, BlockPlace, Error};
use crate::parallel;
use crate::text::Days;

/// Games whose date is no date, such as `2011.19.11`. They pass no comparison of dates.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MalformedDates {
    /// The number of games.
    pub games: u64,
    /// The number of the first game.
    pub first: u64,
    /// The text of its date.
    pub example: String,
}

impl Archive {
    /// The games in which a tag is no date. Empty values and dates of which nothing is known, such
    /// as `????.??.??`, are none of them.
    ///
    /// # Errors
    /// A block is damaged.
    pub fn malformed_dates(&self, name: &str) -> Result<Option<MalformedDates>, Error> {
        let all = 0..self.container().segments().len();
        // The directory counts those of `Date`.
        let is_counted = name.eq_ignore_ascii_case("Date");
        let counts = self.summaries(all.clone());
        let counts = counts.map(|summary| summary.malformed_dates.filter(|_| is_counted));
        let mut found: Option<MalformedDates> = None;
        for (segment, count) in all.zip(counts) {
            let more = match (&found, count) {
                (_, Some(0)) => continue,
                (Some(_), Some(count)) => count.into(),
                (_, _) => {
                    let (games, first) = self.malformed_in_segment(segment, name, count)?;
                    if found.is_none() {
                        found = first
                            .map(|first| self.malformed_date(name, first))
                            .transpose()?;
                    }
                    games
                }
            };
            found.iter_mut().for_each(|found| found.games += more);
        }
        Ok(found)
    }

    /// A malformed date, that of this game.
    fn malformed_date(&self, name: &str, first: u64) -> Result<MalformedDates, Error> {
        let game = self.stored_game(first)?;
        let value = game.tag_by_name(&game.tag_name(name))?;
        let example = self
            .encoding()
            .decode(&value.unwrap_or_default())
            .into_owned();
        Ok(MalformedDates {
            games: 0,
            first,
            example,
        })
    }

    /// How many games of a segment there are, and the number of the first. If their number is known, only
    /// the first is looked for.
    fn malformed_in_segment(
        &self,
        segment: usize,
        name: &str,
        count: Option<u32>,
    ) -> Result<(u64, Option<u64>), Error> {
        let places = self.block_places_of(segment)?;
        if let Some(count) = count {
            for place in &places {
                if let Some((_, first)) = self.malformed_in(place, name, false)? {
                    return Ok((count.into(), Some(first)));
                }
            }
            return Ok((count.into(), None));
        }
        let found = parallel::try_map(&places, |place| self.malformed_in(place, name, true))?;
        let found = found.into_iter().flatten();
        Ok(found.fold((0, None), |(games, first), (more, of_block)| {
            (games + more, first.or(Some(of_block)))
        }))
    }

    /// How many games of a block there are, and the number of the first. `is_in_scan` says that all blocks will
    /// be read.
    fn malformed_in(
        &self,
        place: &BlockPlace,
        name: &str,
        is_in_scan: bool,
    ) -> Result<Option<(u64, u64)>, Error> {
        let segment = place.segment();
        let tag = self.tag_name_in_any_case(segment, name)?;
        let encoding = self.encoding();
        let is_malformed = |value: Option<&[u8]>| {
            let text = value.map(|value| encoding.decode(value));
            text.is_some_and(|text| !text.trim_ascii().is_empty() && !Days::is_well_formed(&text))
        };
        let reader = TagReader::new(self, segment, tag, true, is_malformed)?;
        let block = QueryBlock::new(self, place).in_scan(is_in_scan);
        let mut games = Vec::new();
        reader.each(&block, &block.all(), |game, is_malformed| {
            if is_malformed {
                games.push(block.number(game));
            }
        })?;
        let first = games.iter().min();
        Ok(first.map(|first| (games.len() as u64, *first)))
    }
}

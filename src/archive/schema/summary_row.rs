//! What the directory says of the games of a segment, gathered from their tags.

use crate::container::SegmentSummary;
use crate::index::{NameHash, name_cells};
use crate::pgn::Game;
use crate::text::Days;
use std::borrow::Cow;

const PLAYER_TAGS: [&[u8]; 2] = [b"White", b"Black"];
const DATE_TAGS: [&[u8]; 2] = [b"Date", b"UTCDate"];

fn tag_names() -> impl Iterator<Item = &'static [u8]> {
    PLAYER_TAGS.into_iter().chain(DATE_TAGS)
}

/// What a summary needs of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SummaryRow {
    names: [Option<NameHash>; 2],
    days: Option<Days>,
    has_malformed_date: bool,
    /// Whether the name of such a tag is written in another case: what a search takes it for depends on
    /// the other games of the segment.
    is_ambiguous: bool,
}

impl SummaryRow {
    /// Whether the tag with this name counts.
    pub(crate) fn needs(name: &[u8]) -> bool {
        tag_names().any(|it| it.eq_ignore_ascii_case(name))
    }

    /// That of a game with these tag pairs, with escapes resolved. The first of each name counts.
    pub(crate) fn of<'t>(tags: impl Iterator<Item = (&'t [u8], Cow<'t, [u8]>)>) -> SummaryRow {
        let mut row = SummaryRow::default();
        let mut values: [Option<Cow<'t, [u8]>>; 4] = Default::default();
        for (name, value) in tags {
            match tag_names().position(|it| it.eq_ignore_ascii_case(name)) {
                Some(at) if tag_names().any(|it| it == name) => {
                    if let Some(first) = values.get_mut(at) {
                        first.get_or_insert(value);
                    }
                }
                Some(_) => row.is_ambiguous = true,
                None => {}
            }
        }
        let [white, black, date, utc_date] = values;
        row.names = [white, black].map(|name| name.map(|name| NameHash::of(&name)));
        // Other bytes than ASCII are in no date, in any encoding.
        let dates = [date.unwrap_or_default(), utc_date.unwrap_or_default()];
        let [date, utc_date] = dates.each_ref().map(|date| String::from_utf8_lossy(date));
        row.days = Days::read(&date).or_else(|| Days::read(&utc_date));
        row.has_malformed_date = !date.trim_ascii().is_empty() && !Days::is_well_formed(&date);
        row
    }

    /// That of a game that is stored verbatim, or in part so, with these tag pairs in columns. Readers take
    /// others from the text.
    pub(crate) fn of_verbatim<'t>(
        in_columns: impl Iterator<Item = (&'t [u8], Cow<'t, [u8]>)>,
        game: &'t Game,
    ) -> SummaryRow {
        let in_text = game.tags.iter();
        let in_text =
            in_text.map(|(name, value)| (name.as_slice(), Cow::Borrowed(value.as_slice())));
        SummaryRow::of(in_columns.chain(in_text))
    }

    /// The summary of games; with names if `has_names` is set.
    pub(crate) fn all(
        games: impl Iterator<Item = SummaryRow> + Clone,
        has_names: bool,
    ) -> SegmentSummary {
        if games.clone().any(|row| row.is_ambiguous) {
            return SegmentSummary::default();
        }
        let days = games.clone().filter_map(|row| row.days);
        let malformed = games.clone().filter(|row| row.has_malformed_date);
        let names = games.clone().flat_map(|row| row.names).flatten();
        SegmentSummary {
            days: days.fold([u32::MAX, 0], |[first, last], days| {
                [first.min(days.first), last.max(days.last)]
            }),
            malformed_dates: u32::try_from(malformed.count()).ok(),
            names: has_names.then(|| name_cells(names.collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(tags: &[(&str, &str)]) -> SummaryRow {
        let tags = tags.iter();
        SummaryRow::of(tags.map(|(name, value)| (name.as_bytes(), value.as_bytes().into())))
    }

    #[test]
    fn dates_are_those_of_the_first_tag_with_a_year() {
        let summary = |games: &[&[(&str, &str)]]| {
            let rows: Vec<SummaryRow> = games.iter().map(|tags| row(tags)).collect();
            let summary = SummaryRow::all(rows.iter().copied(), false);
            (summary.days, summary.malformed_dates)
        };
        assert_eq!(
            summary(&[&[("Event", "2010.01.01")]]),
            ([u32::MAX, 0], Some(0))
        );
        let dates = [
            ("Date", "2010.??.??"),
            ("Date", "2009.01.01"),
            ("UTCDate", "2008.01.01"),
        ];
        assert_eq!(summary(&[&dates]), ([20_100_101, 20_101_231], Some(0)));
        let dates = [("Date", "????.??.??"), ("UTCDate", "2008.02.03")];
        let other = [("Date", "2011.19.11")];
        assert_eq!(summary(&[&dates]), ([20_080_203, 20_080_203], Some(0)));
        assert_eq!(
            summary(&[&dates, &other, &[("Date", "1990")]]),
            ([19_900_101, 20_080_203], Some(1))
        );
        assert_eq!(
            summary(&[&dates, &[("DATE", "1990")]]),
            ([0, u32::MAX], None)
        );
    }

    #[test]
    fn names_are_those_of_both_players() {
        let rows = [
            row(&[("White", "A"), ("White", "B"), ("Black", "C")]),
            row(&[]),
        ];
        let names = SummaryRow::all(rows.into_iter(), true).names;
        let both = [b"A", b"C"].map(|name| NameHash::of(name));
        assert_eq!(names, Some(name_cells(both.to_vec())));
        assert_eq!(
            SummaryRow::all([row(&[])].into_iter(), true).names,
            Some(Vec::new())
        );
    }
}

//! Reports dates that are no dates, where games are found or counted by them.

use super::errors::print_message;
use super::figures::{count, grouped};
use crate::{Archive, Field};

/// Reports the games whose date is no date, if one of the fields depends on dates.
pub(crate) fn report_malformed_dates<'f>(
    archive: &Archive,
    fields: impl IntoIterator<Item = &'f Field>,
) {
    let of_dates = fields.into_iter().filter(|field| field.is_of_dates());
    let mut names: Vec<&str> = of_dates
        .filter_map(|field| field.tags().first().copied())
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        // Damage is reported by what reads the games.
        if let Ok(Some(found)) = archive.malformed_dates(name) {
            print_message(&format!(
                "warning: the {name} of {} is malformed, such as {:?} in game {}",
                count(found.games, "game"),
                found.example,
                grouped(found.first),
            ));
        }
    }
}

//! One file for each value of a tag.

use super::super::errors::Failure;
use super::SplitArgs;
use super::files::OutputFiles;
use super::names::FileNames;
use crate::{Archive, Spool, TagValues};
use std::collections::BTreeMap;

/// The pseudo-tag for the year of a game.
const YEAR: &str = "year";

/// The games of a value, with the name of their file.
struct TagGroup {
    name: String,
    games: Vec<u64>,
}

/// Writes each game to the file of its value; returns the number of bytes of text left out.
pub(super) fn split(
    args: &SplitArgs,
    tag: &str,
    archive: &Archive,
    files: &mut OutputFiles<'_>,
) -> Result<u64, Failure> {
    let unreadable = |error| Failure::archive(&args.archive, &error).with_nothing_written();
    let is_year = tag.eq_ignore_ascii_case(YEAR);
    let tag = if is_year { "Date" } else { tag };
    if !archive.has_tag_values(tag).map_err(unreadable)? {
        let path = args.archive.display();
        let message = format!("{path}: no game has a tag {tag}; nothing was written");
        return Err(Failure::usage(message));
    }
    let values = archive.tag_values(tag).map_err(unreadable)?;
    let shown = |value: &[u8]| match is_year {
        true => year(value).to_vec(),
        false => value.to_vec(),
    };
    let missing = format!("no {}", if is_year { YEAR } else { tag });
    let groups = groups(&values, shown, &missing, args.form.extension());
    drop(values);
    files.check_count(groups.len() as u64)?;
    groups
        .iter()
        .try_for_each(|group| files.check_name(&group.name))?;
    std::fs::create_dir_all(&args.output).map_err(|error| Failure::io(&args.output, &error))?;
    let progress = files.reading();
    let spool = Spool::of(archive, &args.output, |done| progress.set(done));
    progress.finish();
    let spool = spool.map_err(unreadable)?;
    for group in groups {
        files.write(&group.name, spool.parts(group.games))?;
    }
    Ok(spool.text_left_out())
}

/// The year of a date.
fn year(date: &[u8]) -> &[u8] {
    let mut parts = date.trim_ascii().split(|byte| *byte == b'.');
    parts.next().unwrap_or_default()
}

/// The games of each displayed value, in the order of their first games.
fn groups(
    values: &TagValues,
    shown: impl Fn(&[u8]) -> Vec<u8>,
    missing: &str,
    extension: &'static str,
) -> Vec<TagGroup> {
    let mut names = FileNames::new(extension);
    let mut groups: Vec<TagGroup> = Vec::new();
    let mut known: BTreeMap<Option<Vec<u8>>, usize> = BTreeMap::new();
    // The group of each value. Values can have the same displayed form.
    let mut group_of: Vec<Option<usize>> = vec![None; values.values().len()];
    let mut group_of_none = None;
    for (game, value) in (1..).zip(values.games()) {
        let place = match value {
            Some(value) => group_of.get_mut(value),
            None => Some(&mut group_of_none),
        };
        let Some(place) = place else { continue };
        let group = *place.get_or_insert_with(|| {
            let text = value.and_then(|value| values.values().get(value));
            let text = text.map(|text| shown(text));
            *known.entry(text).or_insert_with_key(|text| {
                let name = match text {
                    Some(text) => String::from_utf8_lossy(text).into_owned(),
                    None => missing.to_owned(),
                };
                groups.push(TagGroup {
                    name: names.take(&name),
                    games: Vec::new(),
                });
                groups.len() - 1
            })
        });
        if let Some(group) = groups.get_mut(group) {
            group.games.push(game);
        }
    }
    groups
}

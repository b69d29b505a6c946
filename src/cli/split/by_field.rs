//! One file for each value of a field.

use super::super::empty_results::{is_unknown, no_game_has};
use super::super::errors::Failure;
use super::SplitArgs;
use super::files::OutputFiles;
use super::names::FileNames;
use crate::{Archive, Field, FieldValues, Spool};

/// The games of a value, with the name of their file.
struct FieldGroup {
    name: String,
    games: Vec<u64>,
}

/// Writes each game to the files of its values; returns the number of bytes of text left out.
pub(super) fn split(
    args: &SplitArgs,
    field: &Field,
    archive: &Archive,
    files: &mut OutputFiles<'_>,
) -> Result<u64, Failure> {
    let unreadable = |error| Failure::archive(&args.archive, &error).with_nothing_written();
    if is_unknown(archive, field) {
        let path = args.archive.display();
        let what = no_game_has(archive, field);
        return Err(Failure::usage(format!(
            "{path}: {what}; nothing was written"
        )));
    }
    let values = archive.field_values(field).map_err(unreadable)?;
    let groups = groups(&values, &format!("no {field}"), args.form.extension());
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

/// The games of each value, in the order of their first games.
fn groups(values: &FieldValues, missing: &str, extension: &'static str) -> Vec<FieldGroup> {
    let mut names = FileNames::new(extension);
    let mut groups: Vec<FieldGroup> = Vec::new();
    // The group of each value, and that of games without one.
    let mut group_of: Vec<Option<usize>> = vec![None; values.values().len()];
    let mut group_of_none = None;
    let mut put = |game, place: &mut Option<usize>, name: &dyn Fn() -> String| {
        let group = *place.get_or_insert_with(|| {
            groups.push(FieldGroup {
                name: names.take(&name()),
                games: Vec::new(),
            });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(group)
            && group.games.last() != Some(&game)
        {
            group.games.push(game);
        }
    };
    for (game, indices) in (1..).zip(values.games()) {
        if indices.is_empty() {
            put(game, &mut group_of_none, &|| missing.to_owned());
        }
        for index in indices {
            if let (Some(place), Some(value)) =
                (group_of.get_mut(*index), values.values().get(*index))
            {
                put(game, place, &|| value.to_string());
            }
        }
    }
    groups
}

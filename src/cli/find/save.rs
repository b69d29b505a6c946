//! `pgna find -o`: writes the games found to a file.

use super::super::common::Common;
use super::super::errors::{Exit, Failure};
use super::super::saving::Saver;
use super::Finder;
use super::args::FindArgs;
use crate::{Archive, Error, ErrorClass};

/// The saver, if the games go to a file.
///
/// # Errors
/// The file cannot be written to.
pub(super) fn saver<'a>(
    args: &'a FindArgs,
    common: &'a Common,
) -> Result<Option<Saver<'a>>, Failure> {
    let Some(output) = &args.output else {
        return Ok(None);
    };
    Saver::to_path(&args.archive, output, args.force, &args.writing, common).map(Some)
}

/// Writes the games found, if there are any. Games that are damaged are reported and left out.
///
/// # Errors
/// The archive cannot be read, or the file cannot be written.
pub(super) fn save(
    saver: &Saver<'_>,
    archive: &Archive,
    finder: &mut Finder<'_>,
) -> Result<(), Failure> {
    if finder.exit != Exit::Done {
        return Ok(());
    }
    let found = &finder.saved;
    let is_found = |game| found.binary_search(&game).is_ok();
    let mut damaged = Vec::new();
    // Other errors are of a block that may have the end of a long game.
    let is_of_found = |error: &Error| {
        let mut games = error.games().unwrap_or_default();
        error.class() == ErrorClass::Damaged && games.any(is_found)
    };
    let parts = archive.parts(is_found).filter_map(|part| match part {
        Err(error) if is_of_found(&error) => {
            damaged.push(error);
            None
        }
        part => Some(part),
    });
    let mut parts = parts.peekable();
    if parts.peek().is_some() {
        saver.save(parts, None)?;
    }
    finder.missed.report_all(&damaged, archive);
    Ok(())
}

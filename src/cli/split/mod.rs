//! `pgna split`.

mod args;
mod by_field;
mod files;
mod names;

pub(crate) use args::SplitArgs;

use super::common::Common;
use super::errors::{Exit, Failure, print_message};
use super::malformed_dates::report_malformed_dates;
use super::open::warn;
use super::saving::report_omitted_text;
use crate::{Archive, ShareSize, SplitParts};
use files::OutputFiles;
use names::numbered;

/// Splits an archive into files.
pub(crate) fn run(args: &SplitArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = args.texts.open(&args.archive, &args.reader, common)?;
    if !common.quiet {
        report_malformed_dates(&archive, &args.by);
    }
    let mut files = OutputFiles::new(args, archive.totals().raw_bytes, common)?;
    let left_out = match (&args.by, args.games, args.size) {
        (Some(field), ..) => by_field::split(args, field, &archive, &mut files)?,
        (None, Some(games), _) => {
            let many = archive.games().div_ceil(games);
            write_shares(
                args,
                &archive,
                ShareSize::Games(games),
                (many, many),
                &mut files,
            )?
        }
        (None, None, size) => {
            let size = size.unwrap_or(u64::MAX);
            let text = archive.totals().raw_bytes;
            let min_files = text.div_ceil(size).min(archive.games());
            // Any two consecutive files together exceed the maximum size of one.
            let max_files = min_files
                .saturating_mul(2)
                .saturating_add(1)
                .min(archive.games());
            write_shares(
                args,
                &archive,
                ShareSize::Bytes(size),
                (min_files, max_files),
                &mut files,
            )?
        }
    };
    let what = files.finish()?;
    if !common.quiet {
        print_message(&what);
    }
    report_omitted_text(&args.archive, left_out, common);
    warn(&args.archive, &archive.warnings(), common);
    Ok(Exit::Done)
}

/// Writes games in order, a share to each file; there will be at least `least` and at
/// most `most` files. Returns the number of bytes of text that were left out.
fn write_shares(
    args: &SplitArgs,
    archive: &Archive,
    share: ShareSize,
    (least, most): (u64, u64),
    files: &mut OutputFiles<'_>,
) -> Result<u64, Failure> {
    let stem = args.archive.file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    let name = |number| numbered(&stem, number, most, args.form.extension());
    files.check_count(least)?;
    (1..=least).try_for_each(|number| files.check_name(&name(number)))?;
    let mut shares = SplitParts::new(archive.parts(|_| true), share);
    let mut number = 0;
    while !shares.is_done() {
        number += 1;
        files.write(&name(number), shares.next_share())?;
    }
    Ok(shares.parts().text_left_out())
}

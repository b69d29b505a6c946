//! `pgna find`.

pub(crate) mod args;
mod save;

use super::common::Common;
use super::empty_results::{
    report_doubts, report_impossible_pieces, report_pocket, report_unknown_tags, report_variants,
};
use super::errors::{Exit, Failure, is_url, print_message};
use super::figures::grouped;
use super::list::{ListLine, default_fields};
use super::malformed_dates::report_malformed_dates;
use super::missed::MissedGames;
use super::open::warn;
use super::output::Output;
use super::progress::Progress;
use crate::{Archive, Error, ErrorClass, Field, Filter, Hit, Indexes, Place, Query};
use args::FindArgs;
use std::time::Instant;

/// The duration from which a search reports what it read, in seconds.
pub(super) const SLOW_SECONDS: f64 = 1.0;

/// Finds games and prints them.
pub(crate) fn run(args: &FindArgs, common: &Common) -> Result<Exit, Failure> {
    let query = args.query()?;
    let archive = args.texts.open(&args.archive, &args.reader, common)?;
    let fields = query.filter.as_ref().map(Filter::fields);
    report_unknown_tags(&archive, fields.unwrap_or_default(), common);
    report_impossible_pieces(&query, common);
    report_pocket(args.board.fen.as_deref(), common);
    let saver = save::saver(args, common)?;
    let mut finder = Finder {
        args,
        archive: &archive,
        saved: Vec::new(),
        missed: MissedGames::new(&args.archive),
        reported: 0,
        output: Output::new(),
        found: 0,
        end_of_last: Vec::new(),
        exit: Exit::NothingFound,
        fields: default_fields(),
    };
    finder.find(&query, common)?;
    if finder.found == 0 {
        report_doubts(query.filter.as_ref(), common);
    }
    // This reads from every segment, which takes long over a network.
    if finder.found == 0 && query.leaves_out_variants() && !is_url(&args.archive) {
        report_variants(&archive, common);
    }
    let is_whole = args.limit.is_none_or(|limit| finder.found < limit);
    // With positions, indexes may leave most games unread.
    let reads_all = is_whole && query.positions.is_empty();
    if let Some(filter) = query.filter.as_ref().filter(|_| reads_all && !common.quiet) {
        report_malformed_dates(&archive, filter.fields());
    }
    if let Some(output) = &saver {
        save::save(output, &archive, &mut finder)?;
    }
    if args.count {
        finder.output.line(&finder.found.to_string())?;
    }
    finder.output.finish()?;
    let exit = finder.missed.exit(finder.exit);
    warn(&args.archive, &archive.warnings(), common);
    Ok(exit)
}

struct Finder<'a> {
    args: &'a FindArgs,
    archive: &'a Archive,
    /// The numbers of the games to write to a file.
    saved: Vec<u64>,
    output: Output,
    found: u64,
    /// The last bytes of the game that was printed last.
    end_of_last: Vec<u8>,
    exit: Exit,
    missed: MissedGames<'a>,
    /// The number of the game after those that were reported last.
    reported: u64,
    /// The fields that are printed as JSON.
    fields: Vec<Field>,
}

impl Finder<'_> {
    fn find(&mut self, query: &Query, common: &Common) -> Result<(), Failure> {
        let clock = Instant::now();
        let path = &self.args.archive;
        let hits = self.archive.query(query);
        let mut hits = hits.map_err(|error| Failure::archive(path, &error))?;
        // On a terminal, games and a progress bar would interfere.
        let is_shown = !self.args.count && self.args.output.is_none();
        let shows_games = self.output.is_terminal() && is_shown;
        let text = self.archive.totals().raw_bytes;
        let progress = (!shows_games).then(|| Progress::new("finding", Some(text), common));
        let most = self.args.limit.unwrap_or(u64::MAX);
        while self.found < most
            && let Some(hit) = hits.next()
        {
            match hit {
                Ok(hit) => self.show(hit)?,
                Err(error) => {
                    let games = hits.missed();
                    self.missed
                        .report(games.start, games.end.saturating_sub(1), &error);
                }
            }
            if let Some(progress) = &progress {
                let share = u128::from(text) * u128::from(hits.games_seen());
                let share = share / u128::from(self.archive.games().max(1));
                progress.set(u64::try_from(share).unwrap_or(text));
            }
        }
        if let Some(progress) = &progress {
            progress.finish();
        }
        let seconds = clock.elapsed().as_secs_f64();
        if common.verbose || (seconds > SLOW_SECONDS && !common.quiet) {
            let how = match query.positions.is_empty() {
                true => String::new(),
                false if !query.uses_indexes => ", without an index".to_owned(),
                false if hits.is_indexed() || !query.can_use_indexes() => {
                    let read = format!(", the moves of {} read", grouped(hits.games_read()));
                    match self.archive.indexes() {
                        Ok(Some(Indexes::Openings)) if query.can_use_indexes() => {
                            read + "; a full index may need fewer: see pgna index"
                        }
                        _ => read,
                    }
                }
                false => ", without an index: see pgna index".to_owned(),
            };
            print_message(&format!(
                "{} of {} games looked through in {seconds:.3} s{how}",
                grouped(hits.games_seen()),
                grouped(self.archive.games()),
            ));
        }
        Ok(())
    }

    /// Reports a game that cannot be read, if it is damaged with all of its block, once.
    fn report(&mut self, game: u64, error: &Error) {
        if error.class() != ErrorClass::Damaged {
            self.missed.report(game, game, error);
        } else if game >= self.reported {
            let games = game..=self.archive.games();
            self.reported = self.missed.report_unreadable(games, self.archive, error);
        }
    }

    fn show(&mut self, hit: Hit) -> Result<(), Failure> {
        self.found += 1;
        if self.exit == Exit::NothingFound {
            self.exit = Exit::Done;
        }
        if self.args.count {
            return Ok(());
        }
        if self.args.output.is_some() {
            self.saved.push(hit.number);
            return Ok(());
        }
        if self.args.list {
            return self.output.line(&name_of(hit));
        }
        let shown = match self.args.json {
            true => {
                let line = ListLine::of(self.archive, hit.number, &self.fields);
                line.map(|line| json(&line, hit))
            }
            false => self.archive.text(hit.number),
        };
        let text = match shown {
            Ok(text) => text,
            Err(error) => {
                self.report(hit.number, &error);
                return Ok(());
            }
        };
        if self.args.json {
            return self.output.bytes(&text);
        }
        // The last game of a file may lack the blank line before the next game.
        self.output.bytes(missing_separator(&self.end_of_last))?;
        self.end_of_last = text
            .get(text.len().saturating_sub(4)..)
            .unwrap_or_default()
            .to_vec();
        self.output.bytes(&text)
    }
}

/// A hit as JSON, on a line of its own.
fn json(line: &ListLine<'_>, hit: Hit) -> Vec<u8> {
    let mut value = line.json();
    if let (Some(object), Some(place)) = (value.as_object_mut(), hit.place) {
        let ply = match place {
            Place::Ply(ply) => Some(ply),
            Place::Variation => None,
        };
        object.insert("ply".to_owned(), ply.into());
    }
    format!("{value}\n").into_bytes()
}

/// The separator that a text with this end needs before another game.
fn missing_separator(end: &[u8]) -> &'static [u8] {
    let parted = [&b"\n\n"[..], b"\r\n\r\n"];
    if end.is_empty() || parted.iter().any(|parted| end.ends_with(parted)) {
        return b"";
    }
    match end.ends_with(b"\n") {
        true => b"\n",
        false => b"\n\n",
    }
}

/// The game, with the ply if a position was searched for, in the form that `view` accepts.
fn name_of(hit: Hit) -> String {
    match hit.place {
        Some(Place::Ply(ply)) => format!("{}@{ply}", hit.number),
        Some(Place::Variation) | None => hit.number.to_string(),
    }
}

//! `pgna pack`.

pub(crate) mod args;

use args::PackArgs;

use super::adding::{InputAdder, verbatim_summary};
use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::figures::{count, ratio, size};
use super::inputs::{self, Input};
use super::interrupt::Guard;
use super::output::Output;
use super::target::OutputTarget;
use super::test::test_new_archive;
use crate::{Error, FileWriter, PackOptions, PackReport, Writer};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Packs the inputs.
pub(crate) fn run(args: &PackArgs, common: &Common) -> Result<Exit, Failure> {
    let options = args.writing.options()?;
    inputs::refuse_archives(&args.inputs)?;
    let inputs = inputs::collect(&args.inputs, common.quiet)?;
    if !common.quiet {
        inputs::report_archives(&inputs);
    }
    let target = OutputTarget::new(args, &inputs)?;
    if args.test && !matches!(target, OutputTarget::File(_)) {
        let why = "is not read back: --test needs a file, named with -o";
        return Err(Failure::usage(format!(
            "{}: {why}",
            target.display().display()
        )));
    }
    let (report, bytes) = write(args, options, common, &inputs, &target)?;
    let mut summary = summary(&report, bytes);
    if args.test {
        summary.push_str(", read back and verified");
    }
    if !common.quiet {
        print_message(&format!("{}: {summary}", target.display().display()));
    }
    if args.strict && !report.verbatim.is_empty() {
        return Ok(Exit::Loss);
    }
    Ok(Exit::Done)
}

/// Writes the archive; returns the report and the size of the archive in bytes.
fn write(
    args: &PackArgs,
    options: PackOptions,
    common: &Common,
    inputs: &[Input],
    target: &OutputTarget,
) -> Result<(PackReport, u64), Failure> {
    let job = PackJob::new(inputs, common, target);
    let written = match target {
        OutputTarget::File(path) => job.file(args, options, path, common),
        OutputTarget::Stream(path) => {
            let opened = File::options().write(true).open(path);
            let opened = opened.map_err(|error| Failure::io(path, &error));
            opened.and_then(|sink| job.stream(options, sink))
        }
        OutputTarget::Stdout => job.stream(options, Output::new()),
    };
    job.adding.finish();
    written
}

/// The inputs being packed into the target.
struct PackJob<'a> {
    adding: InputAdder<'a>,
    target: &'a Path,
}

impl<'a> PackJob<'a> {
    fn new(inputs: &'a [Input], common: &Common, target: &'a OutputTarget) -> Self {
        PackJob {
            adding: InputAdder::new("packing", inputs, common, target.display()),
            target: target.display(),
        }
    }

    fn failure(&self, error: &Error) -> Failure {
        Failure::archive(self.target, error)
    }

    fn file(
        &self,
        args: &PackArgs,
        options: PackOptions,
        path: &Path,
        common: &Common,
    ) -> Result<(PackReport, u64), Failure> {
        let created = FileWriter::create(path, options);
        let mut writer = created.map_err(|error| self.failure(&error))?;
        let _guard = Guard::new(writer.temporary_path());
        self.adding.add_to(&mut writer)?;
        let finished = writer.finish_file();
        let (file, report) = finished.map_err(|error| self.failure(&error))?;
        self.adding.finish();
        if args.test {
            test_new_archive(&file, &ReaderArgs::default(), common)?;
        }
        let failed = |error| Failure::io(path, &error);
        let metadata = file.file().metadata().map_err(failed)?;
        file.commit(args.force).map_err(failed)?;
        Ok((report, metadata.len()))
    }

    fn stream(&self, options: PackOptions, sink: impl Write) -> Result<(PackReport, u64), Failure> {
        let mut sink = CountingSink { sink, bytes: 0 };
        let writer = Writer::new(&mut sink as &mut dyn Write, options);
        let mut writer = writer.map_err(|error| self.failure(&error))?;
        self.adding.add_to(&mut writer)?;
        // The commit slot stays empty: a stream is committed by its footer.
        let (_, report) = writer.finish().map_err(|error| self.failure(&error))?;
        sink.flush()
            .map_err(|error| Failure::io(self.target, &error))?;
        Ok((report, sink.bytes))
    }
}

/// A sink that counts the bytes written to it.
struct CountingSink<W> {
    sink: W,
    bytes: u64,
}

impl<W: Write> Write for CountingSink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

fn summary(report: &PackReport, bytes: u64) -> String {
    let mut out = format!(
        "{} from {}, {} -> {}",
        count(report.games, "game"),
        count(report.sources, "source"),
        size(report.raw_bytes),
        size(bytes)
    );
    if report.games > 0 {
        out.push_str(&format!(" ({:.1} B/game)", ratio(bytes, report.games)));
    }
    out.push_str(&verbatim_summary(report));
    out
}

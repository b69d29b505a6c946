//! The destination of a new archive.

use super::errors::Failure;
use super::inputs::{Input, archive_name};
use super::pack::args::PackArgs;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// The destination of a new archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputTarget {
    /// A file that appears when it is complete.
    File(PathBuf),
    /// An existing device or pipe.
    Stream(PathBuf),
    /// Stdout.
    Stdout,
}

impl OutputTarget {
    /// The destination that the arguments specify.
    ///
    /// # Errors
    /// The arguments specify none, or it cannot be written to.
    pub(crate) fn new(args: &PackArgs, inputs: &[Input]) -> Result<Self, Failure> {
        let is_stdin_alone = matches!(inputs, [Input { path: None, .. }]);
        if args.stdout || (args.output.is_none() && is_stdin_alone) {
            return Self::to_stdout(args);
        }
        let path = match &args.output {
            Some(path) => path.clone(),
            None => default_path(&args.inputs)?,
        };
        let stdin = || PathBuf::from("/dev/stdin");
        let paths = inputs.iter().map(|input| input.path.clone());
        let paths: Vec<PathBuf> = paths.map(|path| path.unwrap_or_else(stdin)).collect();
        Self::at(&path, args.force, &paths)
    }

    /// The destination of a path.
    ///
    /// # Errors
    /// The path is an input, a folder, or an existing file that must not be replaced.
    pub(crate) fn at(path: &Path, is_forced: bool, inputs: &[PathBuf]) -> Result<Self, Failure> {
        let Ok(metadata) = fs::metadata(path) else {
            return Ok(OutputTarget::File(path.to_owned()));
        };
        if metadata.is_dir() {
            return Err(refuse(path, "is a folder; name the file itself with -o"));
        }
        if inputs.iter().any(|input| is_same_file(input, path)) {
            return Err(refuse(path, "is an input; choose another name with -o"));
        }
        if !metadata.is_file() {
            return Ok(OutputTarget::Stream(path.to_owned()));
        }
        if is_forced {
            return Ok(OutputTarget::File(path.to_owned()));
        }
        Err(refuse(path, "exists already; -f replaces it"))
    }

    fn to_stdout(args: &PackArgs) -> Result<Self, Failure> {
        if args.test {
            return Err(Failure::usage(
                "--test: what went to stdout cannot be read back; name a file with -o",
            ));
        }
        if io::stdout().is_terminal() && !args.force {
            return Err(Failure::usage(
                "an archive is no text for a terminal; name a file with -o, or add -f",
            ));
        }
        Ok(OutputTarget::Stdout)
    }

    /// The name of the target in messages.
    pub(crate) fn display(&self) -> &Path {
        match self {
            OutputTarget::File(path) | OutputTarget::Stream(path) => path,
            OutputTarget::Stdout => Path::new("stdout"),
        }
    }
}

fn refuse(path: &Path, why: &str) -> Failure {
    Failure::usage(format!("{}: {why}", path.display()))
}

/// A path next to the only input, with the name derived from it.
fn default_path(arguments: &[PathBuf]) -> Result<PathBuf, Failure> {
    let [path] = arguments else {
        return Err(Failure::usage(
            "several inputs make one archive; name it with -o",
        ));
    };
    let name = path.file_name().and_then(|name| name.to_str());
    let name =
        name.ok_or_else(|| refuse(path, "gives no name for the archive; name it with -o"))?;
    if path.is_dir() {
        return Ok(path.with_file_name(format!("{name}.pgna")));
    }
    Ok(path.with_file_name(archive_name(name)))
}

/// Whether two paths lead to the same file.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    let same_path = matches!(
        (a.canonicalize(), b.canonicalize()),
        (Ok(a), Ok(b)) if a == b
    );
    same_path || is_same_inode(a, b)
}

#[cfg(unix)]
fn is_same_inode(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |path| fs::metadata(path).map(|file| (file.dev(), file.ino())).ok();
    inode(a).is_some_and(|a| inode(b) == Some(a))
}

#[cfg(not(unix))]
fn is_same_inode(_: &Path, _: &Path) -> bool {
    false
}

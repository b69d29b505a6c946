//! The destination of a new archive.

use super::errors::Failure;
use super::file_names::{archive_name, is_pgn_name};
use super::inputs::Input;
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
        Self::archive_at(&path, args.force, &paths)
    }

    /// The destination of an archive with this path.
    ///
    /// # Errors
    /// As [`OutputTarget::at`]; or the path has the name of a PGN file.
    pub(crate) fn archive_at(
        path: &Path,
        is_forced: bool,
        inputs: &[PathBuf],
    ) -> Result<Self, Failure> {
        if !inputs.iter().any(|input| is_same_file(input, path)) {
            refuse_pgn_name(path)?;
        }
        Self::at(path, is_forced, inputs)
    }

    /// The destination of a path.
    ///
    /// # Errors
    /// The path is an input, a folder, or an existing file that must not be replaced.
    pub(crate) fn at(path: &Path, is_forced: bool, inputs: &[PathBuf]) -> Result<Self, Failure> {
        let Ok(metadata) = fs::metadata(path) else {
            refuse_missing_folder(path)?;
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
        Err(refuse(path, EXISTS))
    }

    fn to_stdout(args: &PackArgs) -> Result<Self, Failure> {
        if args.test {
            return Err(Failure::usage(
                "--test: what went to stdout cannot be read back; name a file with -o",
            ));
        }
        if io::stdout().is_terminal() && !args.force {
            return Err(Failure::usage(
                "an archive is binary; it is not written to a terminal: name a file with -o, or add -f",
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

/// Why a file is not replaced without `--force`.
pub(crate) const EXISTS: &str = "already exists; use -f to replace it";

/// Refuses to write an archive to a file with the name of a PGN file.
pub(crate) fn refuse_pgn_name(path: &Path) -> Result<(), Failure> {
    if !is_pgn_name(path) {
        return Ok(());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = archive_name(&name);
    let why = format!("is the name of a PGN file, and an archive is written: use -o {name}");
    Err(refuse(path, &why))
}

/// Refuses a file whose folder does not exist.
pub(crate) fn refuse_missing_folder(path: &Path) -> Result<(), Failure> {
    let folder = folder_of(path);
    match folder.is_dir() {
        true => Ok(()),
        false => Err(refuse(
            path,
            &format!("there is no folder {}", folder.display()),
        )),
    }
}

/// Refuses a file in place of a folder.
pub(crate) fn refuse_file(folder: &Path) -> Result<(), Failure> {
    match folder.exists() && !folder.is_dir() {
        true => Err(refuse(
            folder,
            "is a file, not a folder; nothing was written",
        )),
        false => Ok(()),
    }
}

/// The folder of a path.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
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
    let name = path.file_name();
    let name =
        name.ok_or_else(|| refuse(path, "gives no name for the archive; name it with -o"))?;
    let name = name
        .to_str()
        .ok_or_else(|| refuse(path, "its name is not UTF-8; name the archive with -o"))?;
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

/// Whether two paths name the same file, which need not exist.
pub(crate) fn is_same_target(a: &Path, b: &Path) -> bool {
    let is_same_name = a.file_name().is_some() && a.file_name() == b.file_name();
    a == b || is_same_file(a, b) || (is_same_name && is_same_file(&folder_of(a), &folder_of(b)))
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

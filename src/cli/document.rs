//! Documents, such as a page: to stdout or to a file.

use super::errors::Failure;
use super::interrupt::Guard;
use super::output::Output;
use super::target::OutputTarget;
use crate::NewFile;
use clap::{Args as ClapArgs, ValueEnum};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where a document goes.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct DocumentArgs {
    /// The file to write; - is stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,
}

impl DocumentArgs {
    /// The file; `None` for stdout.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }

    /// The form that the extension of the file's name means; `None` without one.
    ///
    /// # Errors
    /// The extension is that of no form.
    fn form_of_name<F: ValueEnum>(&self) -> Result<Option<F>, Failure> {
        let Some(path) = self.file() else {
            return Ok(None);
        };
        let Some(extension) = path.extension().filter(|extension| !extension.is_empty()) else {
            return Ok(None);
        };
        let extension = extension.to_string_lossy().to_lowercase();
        let form = match &*extension {
            "txt" => "text",
            "ans" => "ansi",
            "htm" | "xhtml" => "html",
            other => other,
        };
        F::from_str(form, false).map(Some).map_err(|_| {
            let forms = F::value_variants().iter().filter_map(F::to_possible_value);
            let forms: Vec<String> = forms.map(|form| form.get_name().to_owned()).collect();
            Failure::usage(format!(
                "{}: no form is named .{extension}; choose one with --as: {}",
                path.display(),
                forms.join(", ")
            ))
        })
    }

    /// The form that an option gives, or the name of the file, or else this one.
    ///
    /// # Errors
    /// The extension of the file's name is that of no form.
    pub(crate) fn form_or<F: ValueEnum>(
        &self,
        option: Option<F>,
        default: F,
    ) -> Result<F, Failure> {
        match option {
            Some(form) => Ok(form),
            None => Ok(self.form_of_name()?.unwrap_or(default)),
        }
    }

    /// The destination of a document made from this archive.
    ///
    /// # Errors
    /// It cannot be written to.
    pub(crate) fn target(&self, archive: &Path) -> Result<OutputTarget, Failure> {
        match self.file() {
            Some(path) => OutputTarget::at(path, self.force, &[archive.to_owned()]),
            None => Ok(OutputTarget::Stdout),
        }
    }

    /// Writes a document to its destination.
    ///
    /// # Errors
    /// It cannot be written; then no file is created.
    pub(crate) fn write(&self, target: &OutputTarget, text: &str) -> Result<(), Failure> {
        match target {
            OutputTarget::File(path) => {
                let failed = |error| Failure::io(path, &error);
                let file = NewFile::create(path).map_err(failed)?;
                let _guard = Guard::new(file.temporary_path());
                file.file().write_all(text.as_bytes()).map_err(failed)?;
                file.commit(self.force).map_err(failed)
            }
            OutputTarget::Stream(path) => {
                let sink = File::options().write(true).open(path);
                let written = sink.and_then(|mut sink| sink.write_all(text.as_bytes()));
                written.map_err(|error| Failure::io(path, &error))
            }
            OutputTarget::Stdout => {
                let mut output = Output::new();
                output.bytes(text.as_bytes())?;
                output.finish()
            }
        }
    }
}

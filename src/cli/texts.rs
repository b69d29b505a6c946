//! How the text of tags is read.

use super::common::{Common, ReaderArgs};
use super::errors::{Failure, print_message};
use super::open::open;
use super::spellings::of_csv;
use crate::{Aliases, Archive, TextEncoding};
use clap::Args as ClapArgs;
use clap::builder::{OsStringValueParser, TypedValueParser};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The option of the verbs that print text as a value.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct EncodingArgs {
    /// The encoding of text that is not UTF-8: windows-1250, windows-1251, koi8-r, …
    ///
    /// It is used where text is compared or printed as a value; games come back byte for byte. The
    /// names are those of the Encoding Standard, which browsers use.
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(crate) encoding: TextEncoding,
}

/// The options of the verbs that compare tags.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Names and other text")]
pub(crate) struct TextArgs {
    #[command(flatten)]
    encoding: EncodingArgs,
    /// Spellings of players' names: a spelling file of Scid (.ssp), or CSV
    ///
    /// A line of CSV is a name and its other spellings: "Kasparov, Garry","Kasparov,G". Spellings
    /// are compared word by word, without regard to case, accents and punctuation; "Garry
    /// Kasparov" is also "Kasparov, Garry".
    #[arg(long, value_name = "FILE")]
    aliases: Option<PathBuf>,
}

impl TextArgs {
    /// Opens an archive, whose text is read by these options.
    pub(crate) fn open(
        &self,
        path: &Path,
        reader: &ReaderArgs,
        common: &Common,
    ) -> Result<Archive, Failure> {
        let aliases = self.aliases.as_deref();
        let aliases = aliases.map(|file| self.read(file, common)).transpose()?;
        let archive = open(path, reader)?.with_encoding(self.encoding());
        Ok(match aliases {
            Some(aliases) => archive.with_aliases(aliases),
            None => archive,
        })
    }

    /// The encoding of text that is not UTF-8.
    pub(crate) fn encoding(&self) -> TextEncoding {
        self.encoding.encoding
    }

    fn read(&self, file: &Path, common: &Common) -> Result<Aliases, Failure> {
        let bytes = fs::read(file).map_err(|error| Failure::io(file, &error))?;
        let text = self.encoding().decode(&bytes);
        let text = text.trim_start_matches('\u{feff}');
        let is_section = |line: &str| line.trim().eq_ignore_ascii_case("@PLAYER");
        let is_of_scid = text.lines().any(is_section);
        let aliases = match is_of_scid {
            true => Aliases::from_spelling_file(text),
            false => read_csv(file, text, common)?,
        };
        match aliases.is_empty() {
            true => Err(Failure::usage(format!("{}: no names", file.display()))),
            false => Ok(aliases),
        }
    }
}

/// Reads spellings as CSV, and reports odd lines.
fn read_csv(file: &Path, text: &str, common: &Common) -> Result<Aliases, Failure> {
    let file = file.display();
    let spellings = of_csv(text)
        .map_err(|line| Failure::usage(format!("{file}: line {line}: {NO_SPELLINGS}")))?;
    let warnings = spellings.warnings.iter().filter(|_| !common.quiet);
    warnings.for_each(|warning| print_message(&format!("{file}: {warning}")));
    Ok(spellings.aliases)
}

/// What is wrong with a line that is not one of CSV.
const NO_SPELLINGS: &str = "\
    no spellings of a name; a file of spellings is one of Scid (.ssp), with a line @PLAYER, or CSV, \
    each line with a name and its other spellings: \"Kasparov, Garry\",\"Kasparov,G\"";

/// An argument that is text. What is not UTF-8 is read as Windows-1252.
pub(crate) fn argument() -> impl TypedValueParser<Value = String> {
    let decode = |text: OsString| {
        let encoding = TextEncoding::default();
        encoding.decode(text.as_encoded_bytes()).into_owned()
    };
    OsStringValueParser::new().map(decode)
}

//! How the text of tags is read.

use super::common::ReaderArgs;
use super::errors::Failure;
use super::open::open;
use crate::{Aliases, Archive, TextEncoding};
use clap::Args as ClapArgs;
use clap::builder::{OsStringValueParser, TypedValueParser};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The option of the verbs that print text as a value.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct EncodingArgs {
    /// The encoding of text that is not UTF-8: windows-1250, windows-1251, iso-8859-2, koi8-r, …
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
    pub(crate) fn open(&self, path: &Path, reader: &ReaderArgs) -> Result<Archive, Failure> {
        let aliases = self.aliases.as_deref();
        let aliases = aliases.map(|file| self.read(file)).transpose()?;
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

    fn read(&self, file: &Path) -> Result<Aliases, Failure> {
        let bytes = fs::read(file).map_err(|error| Failure::io(file, &error))?;
        let text = self.encoding().decode(&bytes);
        let text = text.trim_start_matches('\u{feff}');
        let is_section = |line: &str| line.trim().eq_ignore_ascii_case("@PLAYER");
        let is_of_scid = text.lines().any(is_section);
        let aliases = match is_of_scid {
            true => Aliases::from_spelling_file(text),
            false => of_csv(text).map_err(|line| {
                Failure::usage(format!("{}: line {line}: {NO_SPELLINGS}", file.display()))
            })?,
        };
        match aliases.is_empty() {
            true => Err(Failure::usage(format!("{}: no names", file.display()))),
            false => Ok(aliases),
        }
    }
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

/// Reads a name and its other spellings from each line. The error is the number of a line that is
/// not of this form.
fn of_csv(text: &str) -> Result<Aliases, u64> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut aliases = Aliases::default();
    for line in reader.records() {
        let line = line.map_err(|error| error.position().map_or(1, csv::Position::line))?;
        let has_control = |spelling: &str| spelling.chars().any(char::is_control);
        if line.len() < 2 || line.iter().any(has_control) {
            return Err(line.position().map_or(1, csv::Position::line));
        }
        let name = line.get(0).unwrap_or_default();
        line.iter()
            .for_each(|spelling| aliases.insert(name, spelling));
    }
    Ok(aliases)
}

//! What the name of a file says: archive, PGN, compressed.

use std::path::Path;

/// A compression format that is decompressed on reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compressor {
    Zstd,
    Gzip,
    Bzip2,
    Xz,
}

const SUFFIXES: [(&str, Compressor); 4] = [
    (".zst", Compressor::Zstd),
    (".gz", Compressor::Gzip),
    (".bz2", Compressor::Bzip2),
    (".xz", Compressor::Xz),
];

/// Whether this is the name of an archive.
pub(crate) fn is_archive_name(name: &str) -> bool {
    strip_suffix(name, ".pgna").is_some()
}

/// Whether the file is a PGN file by its name, possibly a compressed one.
pub(crate) fn is_pgn_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    strip_suffix(decompressed_name(&name).0, ".pgn").is_some()
}

/// The name of the decompressed file, and its compression.
pub(crate) fn decompressed_name(name: &str) -> (&str, Option<Compressor>) {
    let mut stripped = SUFFIXES
        .iter()
        .filter_map(|(suffix, compressor)| Some((strip_suffix(name, suffix)?, Some(*compressor))));
    stripped.next().unwrap_or((name, None))
}

/// The name without a suffix, in upper or lower case; `None` if nothing would
/// remain.
fn strip_suffix<'a>(name: &'a str, suffix: &str) -> Option<&'a str> {
    let (stem, end) = name.split_at_checked(name.len().checked_sub(suffix.len())?)?;
    let stem_is_a_name = !stem.is_empty() && !stem.ends_with('/');
    (stem_is_a_name && end.eq_ignore_ascii_case(suffix)).then_some(stem)
}

/// The default name of the archive for an input or folder with this name.
pub(crate) fn archive_name(name: &str) -> String {
    let (name, _) = decompressed_name(name);
    format!("{}.pgna", strip_suffix(name, ".pgn").unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_select_the_compressor() {
        for (name, stem, compressor) in [
            ("a.pgn", "a.pgn", None),
            ("a.pgn.zst", "a.pgn", Some(Compressor::Zstd)),
            ("A.PGN.GZ", "A.PGN", Some(Compressor::Gzip)),
            ("a.bz2", "a", Some(Compressor::Bzip2)),
            ("b/a.xz", "b/a", Some(Compressor::Xz)),
            (".xz", ".xz", None),
            ("b/.xz", "b/.xz", None),
            ("é", "é", None),
        ] {
            assert_eq!(decompressed_name(name), (stem, compressor));
        }
    }

    #[test]
    fn archives_are_named_for_their_input() {
        for (name, archive) in [
            ("games.pgn", "games.pgna"),
            ("games.PGN.zst", "games.pgna"),
            ("games", "games.pgna"),
            ("notes.txt", "notes.txt.pgna"),
        ] {
            assert_eq!(archive_name(name), archive);
        }
    }
}

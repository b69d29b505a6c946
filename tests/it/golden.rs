//! The golden archives of format 0.99, which this and every later release reads. They are never
//! written again: a test that does not read them is a release that breaks the promise.
//!
//! Together they have each level, codec and kind of index, odd input, an archive of its own model,
//! one that was appended to, and one that was written to a stream. `python3 -m reference.check`
//! prints the lines of the reference decoder that they do not reach.

use crate::samples;
use crate::unpacked::unpack;
use pgna::{Appender, Archive, Codec, FileWriter, Indexes, Limits, MoveModel, PackOptions, Writer};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/0.99")
}

/// The name and the bytes of each archive.
fn archives() -> Vec<(String, Vec<u8>)> {
    let mut archives = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "pgna")
        {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            archives.push((name, std::fs::read(path).unwrap()));
        }
    }
    archives.sort();
    archives
}

/// A line for each source: archive, source, games, BLAKE3 of its text.
fn sources(archives: &[(String, Vec<u8>)]) -> String {
    let mut lines = String::new();
    for (name, bytes) in archives {
        let archive = Archive::new(&bytes[..]).unwrap();
        assert!(archive.warnings().is_empty(), "{name}");
        let texts = unpack(bytes).unwrap();
        for (source, (found, text)) in archive.sources().iter().zip(&texts) {
            assert_eq!(source.name, *found, "{name}");
            let digest = blake3::hash(text);
            writeln!(lines, "{name} {found} {} {digest}", source.games).unwrap();
        }
    }
    lines
}

#[test]
fn the_golden_archives_are_read() {
    let expected = std::fs::read_to_string(folder().join("sources.txt")).unwrap();
    assert_eq!(sources(&archives()), expected);
}

/// Games that are read one by one are those of the text.
#[test]
fn single_games_of_the_golden_archives_are_read() {
    for (name, bytes) in archives() {
        let archive = Archive::new(&bytes[..]).unwrap();
        let text: Vec<u8> = unpack(&bytes)
            .unwrap()
            .into_iter()
            .flat_map(|(_, text)| text)
            .collect();
        let mut at = 0;
        for number in 1..=archive.games() {
            let game = archive.text(number).unwrap();
            let found = text[at..]
                .windows(game.len())
                .position(|window| window == &game[..]);
            at += found.unwrap_or_else(|| panic!("{name}: game {number}")) + game.len();
        }
    }
}

/// What the archives were written from.
mod written {
    use super::*;

    fn options() -> PackOptions {
        PackOptions {
            indexes: Indexes::None,
            ..PackOptions::default()
        }
    }

    fn all(names: &[&str]) -> Vec<(String, Vec<u8>)> {
        let source = |name: &&str| ((*name).to_owned(), samples::text(name));
        names.iter().map(source).collect()
    }

    /// Packs to a file, or to a stream.
    fn pack(options: PackOptions, sources: &[(String, Vec<u8>)], is_file: bool) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new(), options).unwrap();
        for (name, text) in sources {
            writer.add_source(name, &text[..]).unwrap();
        }
        let (mut archive, slot, _) = writer.finish_with_slot().unwrap();
        if is_file {
            slot.write_to(&mut archive);
        }
        archive
    }

    /// Samples in small segments, so that sources span segments, with all indexes.
    fn full() -> Vec<u8> {
        let options = PackOptions {
            segment_bytes: 20_000,
            indexes: Indexes::Full,
            ..PackOptions::default()
        };
        let names = [
            "annotated.pgn",
            "chess960.pgn",
            "clk-tenths.pgn",
            "crlf-72-before-white.pgn",
            "garbage.pgn",
            "latin-1.pgn",
            "lines-in-comments.pgn",
            "null-moves.pgn",
            "old-spelling.pgn",
            "set-up-tags.pgn",
            "variants.pgn",
            "wrapped-inside-comments.pgn",
        ];
        pack(options, &all(&names), true)
    }

    fn fast() -> Vec<u8> {
        let options = PackOptions {
            model: pgna::BuiltinModel::Fast.into(),
            indexes: Indexes::Openings,
            ..options()
        };
        pack(
            options,
            &all(&["engine-match.pgn", "one-line.pgn", "xiangqi.pgn"]),
            true,
        )
    }

    /// Prose is mixed, after preset text.
    fn max() -> Vec<u8> {
        let options = PackOptions {
            model: pgna::BuiltinModel::Max.into(),
            context_mixing: true,
            block_records: 4,
            ..options()
        };
        let names = [
            "annotated.pgn",
            "lines-in-comments.pgn",
            "long-comment.pgn",
            "variations.pgn",
        ];
        pack(options, &all(&names), true)
    }

    /// The other samples: what no program should have written, and what few do.
    fn odd() -> Vec<u8> {
        let is_small = |(_, text): &&(String, Vec<u8>)| text.len() < 5_000;
        let small: Vec<(String, Vec<u8>)> =
            samples::files().iter().filter(is_small).cloned().collect();
        pack(options(), &small, false)
    }

    /// Games from many start positions, and of each variant, with one codec, or with `san` where
    /// that codec cannot code them.
    fn codec(name: &str) -> Vec<u8> {
        let codecs = [Codec::forms_by_name(name), vec![Codec::San]];
        let options = PackOptions {
            codecs: codecs.concat(),
            ..options()
        };
        let mut sources = all(&["null-moves.pgn", "variations.pgn"]);
        for name in ["chess960.pgn", "set-up-tags.pgn", "variants.pgn"] {
            let text = samples::text(name);
            sources.push((name.to_owned(), text[..text.len().min(3_000)].to_vec()));
        }
        pack(options, &sources, true)
    }

    /// A model that is not built in, all weights but a few of which are 0.
    fn own_model() -> Vec<u8> {
        let mut file = include_bytes!("../../spec/models/fast.model").to_vec();
        let weights = file.len() - 1;
        for (index, byte) in file[..weights].iter_mut().enumerate() {
            *byte = u8::from(index % 5_000 == 77);
        }
        let options = PackOptions {
            codecs: vec![Codec::Model],
            model: MoveModel::from_bytes(&file).unwrap(),
            ..options()
        };
        pack(options, &all(&["annotated.pgn", "no-tags.pgn"]), true)
    }

    /// Two appends to an archive that is too small for sectors.
    fn appended() -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("appended.pgna");
        let sources = all(&[
            "old-spelling.pgn",
            "variants-played.pgn",
            "lf-80-greedy.pgn",
        ]);
        let mut writer = FileWriter::create(&path, options()).unwrap();
        writer.add_source(&sources[0].0, &sources[0].1[..]).unwrap();
        writer.finish(false).unwrap();
        for (name, text) in &sources[1..] {
            let mut appender = Appender::open(&path, options(), Limits::default()).unwrap();
            appender.add_source(name, &text[..]).unwrap();
            appender.finish().unwrap();
        }
        std::fs::read(&path).unwrap()
    }

    /// Writes the archives that do not exist.
    #[test]
    #[ignore = "writes golden archives"]
    fn write_golden_archives() {
        let mut all = vec![
            ("full", full()),
            ("fast", fast()),
            ("max", max()),
            ("odd", odd()),
            ("own-model", own_model()),
            ("appended", appended()),
        ];
        for name in [
            "huffman",
            "huffman-index",
            "radix",
            "radix-end",
            "squares",
            "san",
        ] {
            all.push((name, codec(name)));
        }
        for (name, bytes) in all {
            let path = folder().join(format!("{name}.pgna"));
            if !path.exists() {
                std::fs::write(path, bytes).unwrap();
            }
        }
        std::fs::write(folder().join("sources.txt"), sources(&archives())).unwrap();
    }
}

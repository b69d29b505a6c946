//! Archives with a move model of their own: every way of writing one keeps the model, once.

use crate::unpacked::unpack_all;
use pgna::internals::container::ContainerWriter;
use pgna::{
    Appender, Archive, Bytes, Codec, ErrorClass, FileWriter, Limits, Merger, MoveModel, NewFile,
    PackOptions, Recovery, Writer,
};
use std::path::{Path, PathBuf};

const FAST: &[u8] = include_bytes!("../../spec/models/fast.model");

/// The bytes of a model that is not built in.
fn file(number: u8) -> Vec<u8> {
    let mut file = FAST.to_vec();
    for at in (1000..200_000).step_by(1000) {
        file[at] ^= number;
    }
    file
}

fn own_model(number: u8) -> MoveModel {
    MoveModel::from_bytes(&file(number)).unwrap()
}

fn options(model: MoveModel) -> PackOptions {
    PackOptions {
        codecs: vec![Codec::Model],
        model,
        ..PackOptions::default()
    }
}

fn source(name: &str) -> (String, Vec<u8>) {
    let game = |number: usize| {
        let last = ["Nc3", "Nf3", "d4", "Bc4", "f4"][number % 5];
        format!("[Event \"{name}\"]\n[White \"W{number}\"]\n\n1. e4 e5 2. {last} Nc6 1-0\n\n")
    };
    (
        name.to_owned(),
        (0..40).map(game).collect::<String>().into(),
    )
}

fn pack(folder: &Path, name: &str, model: MoveModel, sources: &[(String, Vec<u8>)]) -> PathBuf {
    let path = folder.join(name);
    let mut writer = FileWriter::create(&path, options(model)).unwrap();
    for (name, text) in sources {
        writer.add_source(name, &text[..]).unwrap();
    }
    writer.finish(false).unwrap();
    path
}

fn open(path: &Path) -> Archive {
    Archive::open_file(path, Limits::default()).unwrap()
}

/// Asserts that an archive has these sources, is whole, and contains these models.
fn assert_contains(archive: &Archive, sources: &[(String, Vec<u8>)], models: &[&MoveModel]) {
    assert_eq!(unpack_all(archive).unwrap(), sources);
    assert!(archive.verify(|_| ()).is_empty());
    assert!(archive.verify_checksums(|_| ()).is_empty());
    let contained: Vec<_> = archive.container().models().collect();
    let expected: Vec<_> = models.iter().map(|model| model.digest()).collect();
    assert_eq!(contained, expected);
    let sizes = archive.sizes().unwrap();
    let all = sizes.bytes() + sizes.frames.parts().values().sum::<u64>();
    assert_eq!(all, archive.committed_bytes());
}

#[test]
fn a_model_is_written_once_and_is_appended_to() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b, c) = (source("a.pgn"), source("b.pgn"), source("c.pgn"));
    let (first, second) = (own_model(1), own_model(2));
    let path = pack(
        folder.path(),
        "x.pgna",
        first.clone(),
        std::slice::from_ref(&a),
    );
    assert_contains(&open(&path), std::slice::from_ref(&a), &[&first]);
    for (model, (name, text)) in [(&first, &b), (&second, &c)] {
        let options = options(model.clone());
        let mut appender = Appender::open(&path, options, Limits::default()).unwrap();
        appender.add_source(name, &text[..]).unwrap();
        appender.finish().unwrap();
    }
    assert_contains(&open(&path), &[a, b, c], &[&first, &second]);
    let archive = open(&path);
    let models = archive.models().unwrap();
    assert_eq!(models.len(), 2);
    for id in models {
        assert_eq!(id.level(), None);
        assert_eq!(archive.model(id).unwrap().level(), "fast");
    }
}

#[test]
fn a_copied_segment_brings_its_model() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b, c) = (source("a.pgn"), source("b.pgn"), source("c.pgn"));
    let (first, second) = (own_model(1), own_model(2));
    let own = [(&first, &a), (&second, &b), (&first, &c)];
    let target = folder.path().join("merged.pgna");
    let mut merger = Merger::new(NewFile::create(&target).unwrap()).unwrap();
    for (number, (model, source)) in own.into_iter().enumerate() {
        let name = format!("{number}.pgna");
        let path = pack(
            folder.path(),
            &name,
            model.clone(),
            std::slice::from_ref(source),
        );
        merger.add(&open(&path), |_| ()).unwrap();
    }
    merger.finish(false).unwrap();
    let sources = [a, b, c];
    assert_contains(&open(&target), &sources, &[&first, &second]);

    let indexed = folder.path().join("indexed.pgna");
    let file = NewFile::create(&indexed).unwrap();
    let merged = open(&target);
    merged
        .reindex(file, pgna::Indexes::Full, false, |_| ())
        .unwrap();
    assert_contains(&open(&indexed), &sources, &[&first, &second]);

    // Segments that are joined are encoded again with one model.
    let compact = folder.path().join("compact.pgna");
    let file = NewFile::create(&compact).unwrap();
    let (file, _) = merged
        .compact(file, options(second.clone()), |_| ())
        .unwrap();
    file.commit(false).unwrap();
    assert_contains(&open(&compact), &sources, &[&second]);
}

/// An archive whose model has the digest of another.
fn with_forged_model(archive: &Archive, model: &MoveModel) -> Archive {
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    writer.model(model.digest(), b"\0no model").unwrap();
    let entry = &archive.container().segments()[0];
    writer
        .copy_segment(archive.container(), 0, entry.parts)
        .unwrap();
    let (mut forged, slot) = writer.finish(archive.sources().to_vec()).unwrap();
    slot.write_to(&mut forged);
    Archive::new(forged).unwrap()
}

#[test]
fn a_forged_model_is_not_merged() {
    let folder = tempfile::tempdir().unwrap();
    let model = own_model(1);
    let path = pack(
        folder.path(),
        "good.pgna",
        model.clone(),
        &[source("a.pgn")],
    );
    let good = open(&path);
    let forged = with_forged_model(&good, &model);
    assert!(!forged.verify(|_| ()).is_empty());
    assert!(forged.text(1).is_err());
    let target = folder.path().join("merged.pgna");
    let mut merger = Merger::new(NewFile::create(&target).unwrap()).unwrap();
    assert!(merger.add(&forged, |_| ()).is_err());
    merger.add(&good, |_| ()).unwrap();
    merger.finish(false).unwrap();
    assert_contains(&open(&target), &[source("a.pgn")], &[&model]);
}

#[test]
fn a_stream_and_a_recovered_file_contain_the_model() {
    let model = own_model(1);
    let a = source("a.pgn");
    let mut writer = Writer::new(Vec::new(), options(model.clone())).unwrap();
    writer.add_source(&a.0, &a.1[..]).unwrap();
    let (mut stream, _) = writer.finish().unwrap();
    assert_contains(
        &Archive::new(&stream[..]).unwrap(),
        std::slice::from_ref(&a),
        &[&model],
    );
    // Without directory and footer.
    stream.truncate(stream.len() - 100);
    assert!(Archive::new(&stream[..]).is_err());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("good.pgna");
    let damaged = Recovery::open(Bytes(stream), Limits::default()).unwrap();
    let file = NewFile::create(&path).unwrap();
    let report = damaged.recover(file, None, false, |_| ()).unwrap();
    assert_eq!(report.segments_copied, 1);
    assert_contains(&open(&path), &[a], &[&model]);
}

#[test]
fn damage_of_a_model_is_mended_or_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (a, model) = (source("a.pgn"), own_model(1));
    let path = pack(
        folder.path(),
        "x.pgna",
        model.clone(),
        std::slice::from_ref(&a),
    );
    let whole = std::fs::read(&path).unwrap();
    // The model is the first section.
    let mut damaged = whole.clone();
    damaged[5000] ^= 1;
    let archive = Archive::new(&damaged[..]).unwrap();
    assert_eq!(archive.text(1).unwrap(), open(&path).text(1).unwrap());
    assert!(!archive.warnings().is_empty());
    damaged[5000..300_000].fill(0);
    let archive = Archive::new(&damaged[..]).unwrap();
    assert_eq!(archive.text(1).unwrap_err().class(), ErrorClass::Damaged);
    assert!(!archive.verify(|_| ()).is_empty());
    assert!(!archive.verify_checksums(|_| ()).is_empty());
    let limits = Limits {
        tables_bytes: 1 << 20,
        ..Limits::default()
    };
    let archive = Archive::open(Bytes(whole), limits).unwrap();
    assert_eq!(archive.text(1).unwrap_err().class(), ErrorClass::Limit);
}

#[test]
fn files_that_are_no_models_are_refused() {
    assert_eq!(MoveModel::from_bytes(FAST).unwrap().level(), "fast");
    let mut other_level = FAST.to_vec();
    *other_level.last_mut().unwrap() = 2;
    // The outputs are before the terms of the temperature and the level.
    let mut large = FAST.to_vec();
    let outputs = large.len() - 17 - 64;
    large[outputs..outputs + 64].fill(0x7f);
    let mut padded = FAST.to_vec();
    let last_term = padded.len() - 2;
    padded[last_term] |= 1;
    for bytes in [&[][..], &FAST[1..], &other_level, &large, &padded] {
        let refusal = MoveModel::from_bytes(bytes).unwrap_err().to_string();
        assert!(
            refusal.starts_with("not the file of a move model"),
            "{refusal}"
        );
    }
}

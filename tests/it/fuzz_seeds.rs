//! Runs the fuzz targets on their seed inputs, with checksums verified. The fuzzing step of
//! `.ci/run` covers the code after a wrong checksum.

use pgna_fuzz::TARGETS;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_seed_passes() {
    TARGETS.par_iter().for_each(|(name, check)| {
        let inputs = files(&fuzz().join("seeds").join(name));
        assert!(!inputs.is_empty(), "{name} has no inputs");
        for input in inputs {
            // Printed only on failure.
            println!("{}", input.display());
            check(&fs::read(&input).unwrap());
        }
    });
}

#[test]
fn every_target_has_a_program() {
    let programs = files(&fuzz().join("fuzz_targets"));
    let stem = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    let programs: BTreeSet<String> = programs.iter().map(stem).collect();
    let names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names, programs);
}

//! Tests, benchmarks and examples use the public API. A list has the files that use `internals`,
//! with reasons.

use super::{Token, sources, tokens};

/// The folders of programs that use the public API.
const OUTSIDE: [&str; 3] = ["benches", "examples", "tests"];

/// The files in these folders that name `internals`, grouped by reason.
const INTERNALS: [(&str, &[&str]); 9] = [
    (
        "unit vectors: single codes, without an archive",
        &[
            "tests/it/annotations.rs",
            "tests/it/moves_vectors/craft.rs",
            "tests/it/moves_vectors/faults.rs",
            "tests/it/moves_vectors/given.rs",
            "tests/it/moves_vectors/given_faults.rs",
            "tests/it/moves_vectors/huffman.rs",
            "tests/it/moves_vectors/model.rs",
            "tests/it/moves_vectors/names.rs",
            "tests/it/moves_vectors/vector.rs",
            "tests/it/position_vectors.rs",
            "tests/it/position_vectors/faults.rs",
            "tests/it/position_vectors/vector.rs",
            "tests/it/xiangqi_vectors.rs",
            "tests/it/xiangqi_vectors/faults.rs",
            "tests/it/xiangqi_vectors/passing.rs",
            "tests/it/xiangqi_vectors/vector.rs",
        ],
    ),
    (
        "the numbers and the worked example of the specification",
        &["tests/it/registry.rs", "tests/it/spec_example.rs"],
    ),
    (
        "archives with valid checksums that no writer makes",
        &[
            "benches/trust/bombs.rs",
            "benches/trust/forged.rs",
            "benches/trust/forgeries.rs",
            "benches/trust/judge.rs",
            "tests/it/forged.rs",
            "tests/it/hostile/archives.rs",
            "tests/it/later.rs",
            "tests/it/own_models.rs",
        ],
    ),
    (
        "places of sections in the file, to damage them",
        &["tests/it/places.rs"],
    ),
    (
        "the scan of a damaged file, without the recovery of its games",
        &["tests/it/recover/cuts.rs", "tests/it/recover/hostile.rs"],
    ),
    (
        "drawings of many games, of which the program makes one a run",
        &["tests/it/draw.rs"],
    ),
    (
        "a disk with faults in place of a file",
        &["tests/it/append_merge/faults.rs"],
    ),
    (
        "measures of the move model and of one move codec",
        &[
            "benches/columns.rs",
            "benches/lookups.rs",
            "benches/model.rs",
            "benches/model/stages.rs",
        ],
    ),
    (
        "the trainer of the built-in models",
        &[
            "examples/pgna-train/check.rs",
            "examples/pgna-train/games.rs",
            "examples/pgna-train/main.rs",
            "examples/pgna-train/report.rs",
            "examples/pgna-train/tune.rs",
        ],
    ),
];

/// The violations of the list of files that name `internals`, by these sources with their paths.
fn unlisted(sources: &[(String, String)], listed: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    let named = Token::Word("internals".to_owned());
    for (path, source) in sources {
        match (tokens(source).contains(&named), listed.contains(&&path[..])) {
            (true, false) => out.push(format!("{path}: not listed, names internals")),
            (false, true) => out.push(format!("{path}: listed, does not name internals")),
            _ => {}
        }
    }
    let is_absent = |path: &&&str| !sources.iter().any(|(other, _)| other == **path);
    let absent = listed.iter().filter(is_absent);
    out.extend(absent.map(|path| format!("{path}: listed, does not exist")));
    out
}

#[test]
fn listed_files_alone_name_internals() {
    let sources: Vec<_> = OUTSIDE.iter().flat_map(|name| sources(name, "")).collect();
    let listed: Vec<&str> = INTERNALS
        .iter()
        .flat_map(|(_, files)| *files)
        .copied()
        .collect();
    let all = unlisted(&sources, &listed);
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn internals_are_found_outside() {
    let found = |source: &str, listed: &[&str]| {
        let sources = [("tests/a.rs".to_owned(), source.to_owned())];
        unlisted(&sources, listed).join("; ")
    };
    for source in [
        "use pgna::internals::bits::ByteReader;",
        "use pgna::{Archive, internals::{bits, codec}};",
        "fn f() { pgna :: internals :: x() }",
        "use pgna::internals as inner;",
    ] {
        assert_eq!(
            found(source, &[]),
            "tests/a.rs: not listed, names internals"
        );
        assert_eq!(found(source, &["tests/a.rs"]), "");
    }
    for source in [
        "use pgna::Archive; // not pgna::internals",
        "const S: &str = \"pgna::internals\";",
        "#[cfg(feature = \"internals\")] fn f() {}",
    ] {
        assert_eq!(found(source, &[]), "");
        let listed = found(source, &["tests/a.rs"]);
        assert_eq!(listed, "tests/a.rs: listed, does not name internals");
    }
    assert_eq!(found("", &["b.rs"]), "b.rs: listed, does not exist");
}

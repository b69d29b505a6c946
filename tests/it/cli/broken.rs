//! Damaged archives, other files, other versions and exceeded limits: exit codes 4, 5 and 6.

use super::Workspace;
use crate::{forged, places};
use pgna::Archive;
use std::io::{Seek, SeekFrom, Write};

/// A workspace with an archive of several blocks.
fn blocks() -> Workspace {
    let workspace = Workspace::new();
    let games: String = (0..1000)
        .map(|n| format!("[White \"Player {n}\"]\n\n1. e4 e5 2. Nf3 {{{n}}} *\n\n"))
        .collect();
    workspace.write("games.pgn", games);
    workspace.run(&["pack", "games.pgn"]).exits(0);
    workspace
}

/// Changes a byte of the second block, which parity does not mend. Returns its first and last
/// game.
fn damage_a_block(workspace: &Workspace) -> (u64, u64) {
    let mut bytes = workspace.unprotect("games.pgna");
    let (first, games) = {
        let archive = Archive::new(&bytes[..]).unwrap();
        let segment = archive.container().segment(0).unwrap();
        let block = segment.index().blocks()[1];
        (
            u64::from(block.first_game) + 1,
            u64::from(block.shape.games),
        )
    };
    let place = places::blocks(&bytes)[1];
    bytes[place] ^= 0x20;
    workspace.write("games.pgna", bytes);
    (first, first + games - 1)
}

#[test]
fn whole_archives_pass_the_test() {
    let workspace = blocks();
    let run = workspace
        .run(&["test", "games.pgna", "games.pgna"])
        .exits(0);
    assert_eq!(run.text().lines().count(), 2);
    assert!(
        run.text()
            .starts_with("games.pgna: OK: 1,000 games from 1 source")
    );
    let run = workspace.run(&["test", "games.pgna", "-q"]).exits(0);
    assert_eq!((run.out.len(), run.err.as_str()), (0, ""));
    workspace
        .run(&["test", "games.pgna", "-v"])
        .exits(0)
        .says("games.pgn: verified");
}

#[test]
fn another_number_of_games_than_announced_is_damage() {
    let workspace = Workspace::new();
    for (name, games) in [("a.pgn", 1), ("b.pgn", 4)] {
        // The text before the first game is a record, but no game.
        let games = "[White \"A\"]\n\n*\n\n".repeat(games);
        workspace.write(name, format!("no game\n\n{games}"));
    }
    let args = [
        "pack",
        "a.pgn",
        "b.pgn",
        "-o",
        "games.pgna",
        "--block-games",
        "4",
    ];
    workspace.run(&args).exits(0);
    let forged = forged::with_block_games(&workspace.read("games.pgna"), |block, games| {
        if block == 0 { games + 1 } else { games - 1 }
    });
    workspace.write("games.pgna", forged);
    let list = workspace.run(&["list", "games.pgna"]).exits(4);
    assert_eq!(list.text(), "");
    list.says("cannot read games 1 to 3");
    let list = workspace.run(&["list", "games.pgna", "5"]).exits(4);
    list.says("another number of games than announced");
}

#[test]
fn damage_costs_one_block_and_is_located() {
    let workspace = blocks();
    let (first, last) = damage_a_block(&workspace);
    let run = workspace.run(&["test", "games.pgna"]).exits(4);
    assert_eq!(
        run.text(),
        format!("games.pgna: damaged: games {first} to {last} lost\n")
    );
    assert!(!run.err.contains("`pgna test`"), "{}", run.err);
    let quiet = workspace.run(&["test", "games.pgna", "-q"]).exits(4);
    assert_eq!(quiet.out, b"");
    let run = run.says("block at byte ");
    run.says(&format!("games {first} to {last} are lost"));

    let game = |number: u64| workspace.run(&["view", "games.pgna", &number.to_string()]);
    game(first)
        .exits(4)
        .says(&format!("cannot read game {first}"));
    game(last).exits(4);
    game(first - 1).exits(0);
    game(last + 1).exits(0);
    workspace.run(&["info", "games.pgna"]).exits(0);
    workspace.run(&["info", "games.pgna", "--sizes"]).exits(4);
    let run = workspace
        .run(&["unpack", "games.pgna", "-o", "out"])
        .exits(4);
    run.says("`pgna test` lists all that is damaged");
    assert_eq!(std::fs::read_dir(workspace.path("out")).unwrap().count(), 0);
}

#[test]
fn remaining_archives_are_tested_after_a_damaged_one() {
    let workspace = blocks();
    std::fs::copy(workspace.path("games.pgna"), workspace.path("whole.pgna")).unwrap();
    damage_a_block(&workspace);
    let run = workspace
        .run(&["test", "games.pgna", "whole.pgna"])
        .exits(4);
    assert!(run.text().contains("\nwhole.pgna: OK"));
    workspace
        .run(&["test", "whole.pgna", "missing.pgna"])
        .exits(2);
}

#[test]
fn mended_damage_fails_the_test_without_loss() {
    let workspace = blocks();
    let whole = workspace.read("games.pgna");
    let block = places::blocks(&whole)[1];
    let sector = places::sector(&whole, block).start;
    // A byte of a block, and parts of a sector of blocks and of one of tables.
    for (at, count) in [(block, 1), (sector, 20), (80 + 20, 20)] {
        let what = match count {
            1 => format!("1 byte from byte {at} on is damaged and mended by parity"),
            _ => format!("{count} bytes from byte {at} on are damaged and mended by parity"),
        };
        let mut bytes = whole.clone();
        let damaged = &mut bytes[at..at + count];
        damaged.iter_mut().for_each(|byte| *byte ^= 0x55);
        workspace.write("games.pgna", bytes);
        let run = workspace.run(&["test", "games.pgna"]).exits(4);
        assert_eq!(run.text(), "games.pgna: damaged: no game is lost\n");
        let remedy = "; `pgna repack` writes the file anew\n";
        run.says(&format!("games.pgna: {what}; nothing is lost{remedy}"));
        let args = ["unpack", "games.pgna", "-f", "-o", "out"];
        workspace
            .run(&args)
            .exits(0)
            .says(&format!("games.pgna: warning: {what}{remedy}"));
        assert_eq!(workspace.read("out/games.pgn"), workspace.read("games.pgn"));
    }
}

/// The two footers are copies of each other: parity does not cover the last one.
#[test]
fn a_damaged_footer_fails_the_test_without_loss() {
    let workspace = blocks();
    let whole = workspace.read("games.pgna");
    let copy = whole.windows(4).position(|bytes| bytes == b"FOOT").unwrap();
    let footer = whole.len() - FOOTER_BYTES;
    for (at, what) in [(copy, "the copy of the footer"), (footer, "the footer")] {
        let mut bytes = whole.clone();
        bytes[at + 20] ^= 1;
        workspace.write("games.pgna", bytes);
        workspace
            .run(&["test", "games.pgna"])
            .exits(4)
            .says(&format!("{what} at byte {at} is damaged"))
            .says("; nothing is lost");
        let args = ["unpack", "games.pgna", "-f", "-o", "out"];
        let unpacked = workspace.run(&args).exits(0);
        assert_eq!(workspace.read("out/games.pgn"), workspace.read("games.pgn"));
        // The last footer is read only if its copy is damaged.
        let is_read = at == copy;
        assert_eq!(unpacked.err.contains("warning: the copy"), is_read);
        let run = workspace.run(&["info", "games.pgna", "--json"]).exits(0);
        let info = super::json(run.text());
        let warnings = info["warnings"].as_array().unwrap().len();
        assert_eq!(warnings, usize::from(is_read));
    }
}

#[test]
fn truncation_is_detected() {
    let workspace = blocks();
    let bytes = workspace.read("games.pgna");
    for len in (0..bytes.len()).step_by(bytes.len() / 12) {
        workspace.write("cut.pgna", &bytes[..len]);
        let run = workspace.run(&["test", "cut.pgna"]).exits(4);
        assert!(
            run.err.starts_with("pgna: cut.pgna: "),
            "{len}: {}",
            run.err
        );
    }
}

#[test]
fn other_files_are_reported() {
    let workspace = Workspace::packed();
    let run = workspace.run(&["test", "games.pgn"]).exits(4);
    run.says("games.pgn: not a PGN archive; to make one of a PGN file: pgna pack games.pgn");
}

#[test]
fn no_verb_advises_itself() {
    let workspace = blocks();
    let mut bytes = workspace.unprotect("games.pgna");
    let directory = bytes.windows(4).position(|bytes| bytes == b"DIRC");
    bytes[directory.unwrap() + 20] ^= 1;
    workspace.write("games.pgna", bytes);
    let run = workspace.run(&["test", "games.pgna"]).exits(4);
    assert_eq!(run.text(), "games.pgna: damaged: cannot be opened\n");
    assert!(!run.err.contains("`pgna test`"), "{}", run.err);
    let run = workspace.run(&["recover", "games.pgn", "-o", "x.pgna"]);
    let run = run.exits(4).says("pgna pack games.pgn");
    assert!(!run.err.contains("recover"), "{}", run.err);
}

#[test]
fn other_versions_are_refused() {
    let workspace = Workspace::packed();
    let whole = workspace.read("games.pgna");
    for (field, version) in [(9, 1), (10, 17)] {
        let mut bytes = whole.clone();
        bytes[field] = version;
        let crc = crc32fast::hash(&bytes[..12]);
        bytes[12..16].copy_from_slice(&crc.to_le_bytes());
        workspace.write("other.pgna", bytes);
        for verb in ["test", "info", "list", "unpack"] {
            workspace
                .run(&[verb, "other.pgna"])
                .exits(5)
                .says("version");
        }
    }
}

/// The footer of an empty archive, changed to claim a directory of `directory_bytes` bytes.
fn forged_footer(archive: &[u8], directory_bytes: u64) -> Vec<u8> {
    let mut footer = archive[archive.len() - FOOTER_BYTES..].to_vec();
    footer[40..48].copy_from_slice(&directory_bytes.to_le_bytes());
    let (covered, crc) = footer.split_at_mut(FOOTER_BYTES - 4);
    crc.copy_from_slice(&crc32fast::hash(covered).to_le_bytes());
    footer
}

const FOOTER_BYTES: usize = 68;

#[test]
fn a_huge_directory_is_not_read() {
    let workspace = Workspace::new();
    let mut archive = workspace.run_with(&["pack", "-"], b"").exits(0).out;
    let directory_bytes = 300 << 20;
    let footer = forged_footer(&archive, directory_bytes);
    let parity_bytes = u64::from_le_bytes(footer[56..64].try_into().unwrap());
    // The header, two empty slots and the copy of the footer, followed by a hole in place of the
    // directory and its parity.
    archive.truncate(80);
    archive.extend_from_slice(&footer);
    let end = archive.len() as u64 + directory_bytes + parity_bytes;
    workspace.write("huge.pgna", archive);
    let file = std::fs::File::options()
        .write(true)
        .open(workspace.path("huge.pgna"));
    let mut file = file.unwrap();
    file.seek(SeekFrom::Start(end)).unwrap();
    file.write_all(&footer).unwrap();
    drop(file);
    for verb in ["test", "info", "list", "unpack"] {
        let run = workspace.run(&[verb, "huge.pgna"]).exits(6);
        run.says("directory at byte 148: size of the directory is 314572800");
    }
    workspace.run(&["info", "--no-mmap", "huge.pgna"]).exits(6);
}

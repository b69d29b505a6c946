//! What the surroundings of the program may do to it.

use super::{Room, TWO_GAMES, run};
use std::fs;
use std::process::Command;

#[test]
fn any_number_of_threads_will_do() {
    let room = Room::packed();
    let whole = room.run(&["view", "games.pgna", "1-2"]).exits(0).out;
    for threads in ["0", "1", "1024"] {
        let view = room.run(&["view", "games.pgna", "1-2", "--threads", threads]);
        assert_eq!(view.exits(0).out, whole);
    }
    room.run(&["view", "games.pgna", "1-2", "--threads", "-1"])
        .exits(2);
}

#[test]
fn a_limit_that_is_reached_is_told() {
    let room = Room::packed();
    for limit in ["block=10", "tables=10", "index=10", "plies=1"] {
        for verb in ["view", "unpack", "test"] {
            let rest: &[&str] = match verb {
                "view" => &["1"],
                "unpack" => &["-c"],
                _ => &[],
            };
            let args = [&[verb, "games.pgna", "--allow", limit], rest].concat();
            room.run(&args).exits(6).says("limit");
        }
        room.run(&["view", "games.pgna", "1", "--allow", limit])
            .exits(6);
    }
    assert_eq!(room.names(), ["games.pgn", "games.pgna"]);
    let enough = ["--allow", "block=1M", "--allow", "plies=4"];
    room.run(&[&["test", "games.pgna"], &enough[..]].concat())
        .exits(0);
    for wrong in ["block", "block=", "blocks=1", "plies=-1", "plies=many"] {
        room.run(&["test", "games.pgna", "--allow", wrong])
            .exits(2)
            .says("--allow");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_stdin_is_an_empty_one() {
    let room = Room::new();
    let line = format!(
        "{} pack - -o none.pgna --test <&-",
        env!("CARGO_BIN_EXE_pgna")
    );
    let mut shell = Command::new("sh");
    shell.current_dir(room.path("")).args(["-c", &line]);
    run(&mut shell, b"").exits(0).says("0 games");
    room.run(&["unpack", "none.pgna", "-c"]).exits(0);
}

/// Even where the tests may do everything: by another user then.
#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_told() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;

    let room = Room::packed();
    let program = room.path("program");
    // By a process of its own: a file that is open for writing in this one, as another
    // test starts a program, could not be run.
    let mut copy = Command::new("cp");
    copy.arg(env!("CARGO_BIN_EXE_pgna")).arg(&program);
    assert!(copy.status().unwrap().success());
    let before = room.names();
    fs::set_permissions(room.path(""), fs::Permissions::from_mode(0o555)).unwrap();
    let is_root = fs::metadata(room.path("")).unwrap().uid() == 0;
    for args in [
        &["pack", "games.pgn", "-o", "new.pgna"][..],
        &["pack", "games.pgn", "-f"],
        &["unpack", "games.pgna", "-f"],
        &["recover", "games.pgna", "-o", "new.pgna"],
        &["sort", "games.pgna", "--by", "White", "-o", "new.pgna"],
        &["index", "games.pgna"],
    ] {
        let mut command = Command::new(&program);
        command.current_dir(room.path("")).args(args);
        if is_root {
            command.uid(NOBODY);
        }
        run(&mut command, b"").exits(2).says("Permission denied");
    }
    fs::set_permissions(room.path(""), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(room.names(), before);
    assert_eq!(room.read("games.pgn"), TWO_GAMES.as_bytes());
}

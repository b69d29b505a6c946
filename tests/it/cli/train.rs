//! `pgna train`, and `pack --model`.

use super::{TWO_GAMES, Workspace, json};

#[test]
fn a_model_is_trained_and_is_in_the_archive() {
    let workspace = Workspace::new();
    let text = TWO_GAMES.repeat(20);
    workspace.write("games.pgn", &text);
    let train = ["train", "games.pgn", "-o", "my.model", "--passes", "1"];
    let run = workspace.run(&train).exits(0);
    let run = run.says("my.model: 36 games trained on; moves of 4 games that were not: ");
    run.says(" with the model fast; takes ");
    workspace.run(&train).exits(2).says("-f");
    let first = workspace.read("my.model");
    workspace.run(&[&train[..], &["-f"]].concat()).exits(0);
    assert!(
        workspace.read("my.model") == first,
        "another model of the same games"
    );

    let pack = ["pack", "games.pgn", "--model", "my.model"];
    workspace.run(&pack).exits(0);
    workspace.write("more.pgn", TWO_GAMES);
    workspace
        .run(&["append", "games.pgna", "more.pgn"])
        .exits(0);
    let back = workspace.run(&["unpack", "games.pgna", "-c"]).exits(0);
    assert_eq!(back.text(), text + TWO_GAMES);
    workspace.run(&["test", "games.pgna"]).exits(0);
    let info = workspace.run(&["info", "games.pgna"]).exits(0);
    assert!(info.text().contains("needs model its own of level fast ("));
    let info = workspace.run(&["info", "games.pgna", "--json"]).exits(0);
    let models = &json(info.text())["models"];
    let digest = blake3::hash(&first).to_string();
    assert_eq!(models.as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&models[0]["level"], &models[0]["blake3"]),
        (&json("null"), &digest.into())
    );
}

#[test]
fn wrong_models_are_refused() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", TWO_GAMES);
    let pack = |args: &[&str]| workspace.run(&[&["pack", "games.pgn"], args].concat());
    pack(&["--model", "games.pgn"])
        .exits(2)
        .says("not the file of a move model");
    pack(&["--model", "missing.model"])
        .exits(2)
        .says("missing.model");
    workspace.write(
        "fast.model",
        include_bytes!("../../../spec/models/fast.model"),
    );
    let no_model = "the codec radix has no model";
    pack(&["--model", "fast.model", "--codec", "radix"])
        .exits(2)
        .says(no_model);
    pack(&["--model", "fast.model"]).exits(0);
    let info = workspace.run(&["info", "games.pgna"]).exits(0);
    assert!(info.text().contains("needs model fast\n"));
}

#[test]
fn without_games_no_model_is_written() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", "[Variant \"Atomic\"]\n\n1. e4 e5 *\n");
    let run = workspace.run(&["train", "games.pgn", "-o", "my.model"]);
    run.exits(1).says("no games to train on");
    assert_eq!(workspace.names(), ["games.pgn"]);
}

#[test]
fn the_games_are_not_replaced_by_a_model() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", TWO_GAMES);
    let run = workspace.run(&["train", "games.pgn", "-o", "games.pgn", "-f"]);
    run.exits(2).says("contains the games to train on");
    assert_eq!(workspace.read("games.pgn"), TWO_GAMES.as_bytes());
}

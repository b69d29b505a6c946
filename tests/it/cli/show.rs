//! `show`, and the pages and pictures of `stats` and `tree`.

use super::{TWO_GAMES, Workspace, run};
use crate::draw::document::{page, picture};

const BOARD: &str = "\
8  r  n  b  q  k  b  n  r
7  p  p  p  p  .  p  p  p
6  .  .  .  .  .  .  .  .
5  .  .  .  .  p  .  .  .
4  .  .  .  .  P  .  .  .
3  .  .  .  .  .  .  .  .
2  P  P  P  P  .  P  P  P
1  R  N  B  Q  K  B  N  R
   a  b  c  d  e  f  g  h
";

#[test]
fn a_game_is_shown_as_text() {
    let workspace = Workspace::packed();
    let expected = format!(
        "Müller\"s – B  1–0\nA\n\n{BOARD}\nafter 1… e5 (ply 2 of 3)\n\n1. e4 [e5 ⩲] {{a comment}} 2. Nf3\n"
    );
    let same: [&[&str]; 3] = [&["1@2"], &["1", "--ply", "2"], &["1@2", "--as", "text"]];
    for args in same {
        let args = [&["show", "games.pgna"], args].concat();
        assert_eq!(workspace.run(&args).exits(0).text(), expected);
    }
    let last = workspace.run(&["show", "games.pgna", "1"]).exits(0);
    assert!(last.text().contains("after 2. Nf3 (ply 3 of 3)"));
    let flipped = workspace
        .run(&["show", "games.pgna", "1", "--flip"])
        .exits(0);
    assert!(flipped.text().contains("\n1  R  .  B  K  Q"));
}

#[test]
fn variations_and_comments_are_among_the_moves() {
    let workspace = Workspace::new();
    let game = "{ First } 1. e4 $14 $1 $14 e5 (1... c5 2. Nf3 (2. c3 $1 {Alapin} d5) 2... d6) (1... Ke6) 2. Nf3 Nc6 *\n";
    workspace.write("games.pgn", game);
    workspace.run(&["pack", "games.pgn"]).exits(0);
    let shown = workspace.run(&["show", "games.pgna", "1"]).exits(0);
    let moves = "{First} 1. e4 ⩲! e5 (1… c5 2. Nf3 (2. c3! {Alapin} 2… d5) 2… d6) ({cannot be\n\
                 played: Ke6}) 2. Nf3 [Nc6]\n";
    assert!(shown.text().ends_with(moves), "{}", shown.text());
}

#[test]
fn colors_are_for_terminals_or_asked_for() {
    let workspace = Workspace::packed();
    let escapes = |run: super::Run| run.exits(0).text().matches('\x1b').count();
    assert_eq!(escapes(workspace.run(&["show", "games.pgna", "1"])), 0);
    let asked = ["show", "games.pgna", "1", "--as", "ansi"];
    assert!(escapes(workspace.run(&asked)) > 64);
    let mut without = workspace.command(&asked);
    // What is asked for has precedence.
    assert!(escapes(run(without.env("NO_COLOR", "1"), b"")) > 64);
}

#[test]
fn the_name_of_the_file_gives_the_form() {
    let workspace = Workspace::packed();
    for (name, start) in [
        ("a.html", "<!DOCTYPE html>"),
        ("a.HTM", "<!DOCTYPE html>"),
        ("a.svg", "<svg "),
        ("a.txt", "Müller"),
    ] {
        let args = ["show", "games.pgna", "1", "-o", name];
        assert!(workspace.run(&args).exits(0).out.is_empty());
        assert!(workspace.read(name).starts_with(start.as_bytes()), "{name}");
    }
    let html = workspace
        .run(&["show", "games.pgna", "1", "--as", "html"])
        .exits(0);
    assert_eq!(html.out, workspace.read("a.html"));
    let unknown = [
        ("show", "a.gif", "text, ansi, svg, html"),
        ("stats", "a.svg", "text, html"),
        ("tree", "a.html", "text, svg"),
    ];
    for (verb, name, forms) in unknown {
        let game: &[&str] = if verb == "show" { &["1"] } else { &[] };
        let args = [&[verb, "games.pgna", "-o", name], game].concat();
        workspace.run(&args).exits(2).says(forms);
    }
    let args = ["show", "games.pgna", "1", "--as", "svg", "-o", "-"];
    assert_eq!(workspace.run(&args).exits(0).out, workspace.read("a.svg"));
}

#[test]
fn files_are_replaced_only_by_force() {
    let workspace = Workspace::packed();
    workspace.write("a.html", "mine");
    for verb in [
        &["show", "games.pgna", "1"][..],
        &["stats", "games.pgna"],
        &["tree", "games.pgna"],
    ] {
        let verb = &[verb, &["--as", "text"]].concat()[..];
        let args = [verb, &["-o", "a.html"]].concat();
        workspace.run(&args).exits(2).says("already exists; use -f");
        assert_eq!(workspace.read("a.html"), b"mine");
        let args = [verb, &["-f", "-o", "games.pgna"]].concat();
        workspace.run(&args).exits(2).says("is an input");
        let args = [verb, &["-o", "none/a.html"]].concat();
        workspace.run(&args).exits(2).says("there is no folder");
    }
    let args = ["show", "games.pgna", "1", "-o", "a.html", "-f"];
    workspace.run(&args).exits(0);
    assert_ne!(workspace.read("a.html"), b"mine");
    assert_eq!(workspace.names(), ["a.html", "games.pgn", "games.pgna"]);
}

#[test]
fn what_does_not_exist_is_reported() {
    let workspace = Workspace::new();
    let games = "1. e4 e5 2. Ke3 *\n\n[Variant \"Xiangqi\"]\n\n1. e4 *\n\n[White \"A\"]\n\n*\n";
    workspace.write("games.pgn", games);
    workspace.run(&["pack", "games.pgn"]).exits(0);
    for (game, why) in [
        ("9", "no game 9: the archive has 3"),
        ("1@4", "no position 1@4: its main line ends at ply 3"),
        ("1@3", "no position 1@3: ply 3 is not legal"),
        (
            "2",
            "no position 2@0: its FEN gives no position, or its variant is not known",
        ),
        ("3@1", "no position 3@1: its main line ends at ply 0"),
    ] {
        for form in ["text", "ansi", "svg", "html"] {
            let args = ["show", "games.pgna", game, "--as", form, "-o", "a"];
            workspace.run(&args).exits(1).says(why);
        }
    }
    assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
    for wrong in ["1-2", "1-", "0", "x"] {
        workspace.run(&["show", "games.pgna", wrong]).exits(2);
    }
    let twice = ["show", "games.pgna", "1@1", "--ply", "2"];
    workspace.run(&twice).exits(2).says("names a ply already");
    let start = workspace.run(&["show", "games.pgna", "3"]).exits(0);
    assert!(start.text().contains("start position (ply 0 of 0)"));
    let broken = workspace.run(&["show", "games.pgna", "1"]).exits(0);
    assert!(broken.text().contains("cannot be played: Ke3"));
}

#[test]
fn text_is_read_in_its_encoding() {
    let workspace = Workspace::new();
    workspace.write(
        "games.pgn",
        b"[White \"\xcf\xe5\xf2\xf0\"]\n\n1. e4 {\xf5\xee\xe4} *\n",
    );
    workspace.run(&["pack", "games.pgn"]).exits(0);
    for form in ["text", "html"] {
        let args = [
            "show",
            "games.pgna",
            "1",
            "--encoding",
            "windows-1251",
            "--as",
            form,
        ];
        let shown = workspace.run(&args).exits(0);
        assert!(shown.text().contains("Петр") && shown.text().contains("ход"));
    }
}

/// Players and an event with names that would end elements.
const HOSTILE: &str = "[Event \"<script>x</script>\"]\n[White \"</td><b>\u{202e}A\"]\n[Black \"B & \x1b[31m C\"]\n\
     [Date \"2020.01.02\"]\n[ECO \"<\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";

#[test]
fn statistics_are_pages() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", format!("{TWO_GAMES}{HOSTILE}"));
    workspace.run(&["pack", "games.pgn"]).exits(0);
    for (args, shown) in [
        (&[][..], "</td><b>A"),
        (&["--by", "Event"], "<script>x</script>"),
        (&["--by", "White"], "</td><b>A"),
        (&["--event", "<script>x</script>"], "B &  [31m C"),
    ] {
        let args = [&["stats", "games.pgna", "--as", "html"], args].concat();
        let html = workspace.run(&args).exits(0);
        let document = page(html.text());
        document.check();
        assert!(document.text().contains(shown), "{}", html.text());
        assert_eq!(document.count("script"), 0);
    }
    let named = workspace
        .run(&["stats", "games.pgna", "-o", "a.html"])
        .exits(0);
    assert!(named.out.is_empty());
    page(&String::from_utf8(workspace.read("a.html")).unwrap()).check();
    workspace
        .run(&["stats", "games.pgna", "--json", "--as", "html"])
        .exits(2);
    let json = workspace
        .run(&["stats", "games.pgna", "--json", "-o", "a.json"])
        .exits(0);
    assert!(json.out.is_empty());
    let printed = workspace.run(&["stats", "games.pgna", "--json"]).exits(0);
    assert_eq!(workspace.read("a.json"), printed.out);
}

#[test]
fn moves_are_a_picture() {
    let workspace = Workspace::packed();
    let svg = workspace
        .run(&["tree", "games.pgna", "--as", "svg"])
        .exits(0);
    let document = picture(svg.text());
    document.check();
    let shown = document.text();
    for part in ["e4", "d4", "50.0 %", "100 %", "all"] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    assert_eq!(document.count("use"), 32);
    let args = [
        "tree",
        "games.pgna",
        "--after",
        "1. e4 e5",
        "--flip",
        "-o",
        "a.svg",
    ];
    workspace.run(&args).exits(0);
    let svg = String::from_utf8(workspace.read("a.svg")).unwrap();
    assert!(svg.contains("<use href=\"#wR\" x=\"700\" y=\"0\">"));
    workspace
        .run(&["tree", "games.pgna", "--json", "--as", "svg"])
        .exits(2);
}

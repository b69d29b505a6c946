//! Games as text, SVG and pages: whatever is in a game, the document is well-formed, loads nothing
//! and shows it as text.

pub(crate) mod document;

use crate::samples;
use document::{has_control, page, picture};
use pgna::internals::draw::{Diagram, GameDrawing, GameTree, TextForm};
use pgna::{Game, Position, TextEncoding};

type Tags = Vec<(String, String)>;

fn tags(game: &Game) -> Tags {
    let text = |bytes: &[u8]| TextEncoding::default().decode(bytes).into_owned();
    let tags = game.tags.iter();
    tags.map(|(name, value)| (text(name), text(value)))
        .collect()
}

/// The documents of a game at the end of its main line: page, picture, and both texts.
fn documents(game: &Game) -> Option<[String; 4]> {
    let tree = GameTree::new(game, TextEncoding::default())?;
    let tags = tags(game);
    let plies = tree.main.moves.len();
    let drawing = GameDrawing::new(&tree, &tags, plies, plies % 2 == 1).unwrap();
    let texts = [TextForm::Plain, TextForm::Ansi].map(|form| drawing.text(form));
    let [plain, ansi] = texts;
    Some([drawing.html(), drawing.svg(), plain, ansi])
}

fn page_of(text: &str) -> String {
    let [html, ..] = documents(&Game::parse(text.as_bytes())).unwrap();
    html
}

/// Checks the documents of a game.
fn check(game: &Game) {
    let Some([html, svg, plain, ansi]) = documents(game) else {
        return;
    };
    page(&html).check();
    picture(&svg).check();
    assert!(!has_control(&plain), "{plain}");
    assert!(!has_control(&without_colors(&ansi)), "{ansi}");
}

/// A text without the escape sequences that set colours.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (numbers, rest) = part.split_once('m').unwrap();
        let is_number = |char: char| char.is_ascii_digit() || char == ';';
        assert!(numbers.chars().all(is_number), "{part}");
        out += rest;
    }
    out
}

#[test]
fn all_samples_are_drawn() {
    let mut drawn = 0;
    for (name, text) in samples::files() {
        let archive = crate::packed::pack(&[(name.clone(), text.clone())], 512);
        let archive = pgna::Archive::new(archive).unwrap();
        for number in 1..=archive.games() {
            let game = archive.game(number).unwrap();
            drawn += usize::from(documents(&game).is_some());
            check(&game);
        }
    }
    assert!(drawn > 400, "{drawn}");
}

/// Text that ends elements, attributes, comments and sections, that controls terminals, and that
/// reorders what is around it.
const HOSTILE: &str = "</style></script><script>alert(1)</script><img src=x onerror=alert(1)>\
     ' onload='x' ]]> --> &amp; &lt; \u{202e}gnp.exe\u{2066} \x1b[31m \x1b]0;title\x07 \u{9b}2J \0";

#[test]
fn hostile_text_is_shown_as_text() {
    let value = HOSTILE.replace('"', "\\\"");
    let comment = HOSTILE.replace('}', "");
    let mut text = String::new();
    for name in [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Result",
        "WhiteElo",
        "BlackElo",
        "WhiteTitle",
        "ECO",
        "Opening",
        "TimeControl",
        "Annotator",
    ] {
        text += &format!("[{name} \"{value}\"]\n");
    }
    text += &format!(
        "\n{{{comment}}} 1. e4 {{{comment} [%csl G<script>,Gd4'] [%clk 0:0:<b>] [%eval <i>]}} \
         ({{{comment}}} 1. d4 {{{comment}}}) 1... e5 Ke5<b> Nf9 Ra9 *\n"
    );
    let game = Game::parse(text.as_bytes());
    check(&game);
    let [html, ..] = documents(&game).unwrap();
    let shown = page(&html).text();
    assert!(shown.contains("<script>alert(1)</script>"), "{shown}");
    assert!(shown.contains("]]> --> &amp; &lt; gnp.exe"), "{shown}");
}

#[test]
fn random_bytes_are_drawn() {
    let mut seed = 7u64;
    let words = [
        "1. e4",
        "e5",
        "(",
        ")",
        "{",
        "}",
        "[%csl Gd4]",
        "[%cal Ge2e4,Rz9]",
        "[%eval #-0]",
        "[%clk 1:00:00]",
        "$3",
        "$255",
        "<b>",
        "\"",
        "&",
        "\u{202e}",
        "\x1b",
        "Nf3",
        "--",
        "0-1",
        "O-O",
        ";",
        "\n",
        "\u{1f600}",
        "\u{fffe}",
    ];
    for _ in 0..300 {
        let mut text = String::new();
        for _ in 0..40 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text += words[(seed >> 33) as usize % words.len()];
            text.push(' ');
        }
        check(&Game::parse(text.as_bytes()));
    }
}

/// A debug build takes some seconds. Quadratic time would take minutes.
#[test]
fn long_and_deep_games_are_drawn() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(5_000);
    check(&Game::parse(shuffle.as_bytes()));
    let deep = format!("1. e4 {} e5", "(1. d4 {a} ".repeat(50_000));
    check(&Game::parse(deep.as_bytes()));
    let wide = format!("1. e4 {} e5", "(1. d4 d5) ".repeat(10_000));
    check(&Game::parse(wide.as_bytes()));
    let comment = format!("1. e4 {{{}}} e5", "[%csl Gd4] word ".repeat(50_000));
    check(&Game::parse(comment.as_bytes()));
}

#[test]
fn names_have_their_own_direction() {
    let html = page_of("[White \"שלום\"]\n[Black \"Müller\"]\n\n1. e4 {שלום} *");
    assert!(html.contains("<bdi>שלום</bdi>") && html.contains("<bdi>Müller</bdi>"));
    assert!(html.contains("<span class=\"comment\" dir=\"auto\">שלום</span>"));
}

#[test]
fn the_page_has_what_is_in_the_game() {
    let html = page_of(
        "[White \"A\"]\n[WhiteElo \"2500\"]\n[ECO \"C20\"]\n\n1. e4! {[%eval 0.3][%clk 1:02:03]} \
         (1. d4 {solid} d5 $14) 1... e5 {[%eval #-4][%csl Ge5][%cal Rd1h5]} 2. Qh5 1/2-1/2",
    );
    let document = page(&html);
    let shown = document.text();
    for part in [
        "2500",
        "C20",
        "e4!",
        "+0.30 · 1:02:03",
        "#-4",
        "solid",
        "d5 ⩲",
        "½–½",
        "A – Black",
    ] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    let moves = document.moves();
    let sans: Vec<&str> = moves.iter().map(|link| &link.text[..]).collect();
    assert_eq!(sans, ["Start", "e4!", "d4", "d5 ⩲", "e5", "Qh5"]);
    let before: Vec<&str> = moves.iter().map(|link| &link.from[..]).collect();
    assert_eq!(before, ["", "m0", "m0", "m2", "m1", "m4"]);
    assert_eq!(moves[4].shapes, "Ge5 Rd1h5");
    assert_eq!(
        moves[5].board,
        "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR"
    );
    assert!(html.contains("class=\"curve\""));
}

#[test]
fn the_policy_allows_only_what_is_inside() {
    let html = page_of("1. e4 *");
    let start = html.find("Content-Security-Policy").unwrap();
    // The policy comes before what it is about.
    assert!(start < html.find("<style>").unwrap() && start < html.find("<title>").unwrap());
    assert!(html.contains("default-src 'none'") && !html.contains("unsafe"));
}

#[test]
fn boards_have_the_pieces_of_their_position() {
    let fen = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4";
    let position = Position::from_fen(fen).unwrap();
    let diagram = Diagram::new(&position);
    let expected = "\
8  r  .  b  q  k  b  .  r
7  p  p  p  p  .  Q  p  p
6  .  .  n  .  .  n  .  .
5  .  .  .  .  p  .  .  .
4  .  .  B  .  P  .  .  .
3  .  .  .  .  .  .  .  .
2  P  P  P  P  .  P  P  P
1  R  N  B  .  K  .  N  R
   a  b  c  d  e  f  g  h
";
    assert_eq!(diagram.plain(), expected);
    let svg = diagram.svg();
    let drawn = picture(&svg);
    drawn.check();
    // The king of the side to move is in check.
    assert_eq!(drawn.count("use"), 31);
    assert!(svg.contains("url(#check)"));
    assert!(svg.contains("<use href=\"#wQ\" x=\"500\" y=\"100\">"));
    let mut flipped = diagram;
    flipped.is_flipped = true;
    assert!(
        flipped
            .svg()
            .contains("<use href=\"#wQ\" x=\"200\" y=\"600\">")
    );
    assert!(flipped.plain().starts_with("1  R  N  .  K"));
    assert!(flipped.plain().ends_with("h  g  f  e  d  c  b  a\n"));
}

#[test]
fn colors_mark_the_last_move_and_check() {
    let text = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+";
    let [.., ansi] = documents(&Game::parse(text.as_bytes())).unwrap();
    // h5 and f7; the last move is marked among the moves too.
    assert_eq!(
        ansi.matches("48;5;100").count() + ansi.matches("48;5;142").count(),
        2
    );
    assert_eq!(ansi.matches("48;5;160").count(), 1);
    assert!(ansi.contains("\x1b[7mQxf7+\x1b[0m"));
}

#[test]
fn a_move_that_is_not_legal_is_named() {
    let [html, _, plain, _] = documents(&Game::parse(b"1. e4 e5 2. Ke3 Nf6 *")).unwrap();
    assert!(plain.contains("cannot be played: Ke3 Nf6"), "{plain}");
    assert!(page(&html).text().contains("cannot be played: Ke3 Nf6"));
}

#[test]
fn games_from_other_starts_are_drawn() {
    for (text, last) in [
        (
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. e4 *",
            "8. e4",
        ),
        (
            "[Variant \"Chess960\"]\n[FEN \"1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1\"]\n\n1. O-O-O *",
            "O-O-O",
        ),
        (
            "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *",
            "P@e4",
        ),
        ("1. e4 -- 2. d4 *", "2. d4"),
        ("*", "start position"),
    ] {
        let game = Game::parse(text.as_bytes());
        check(&game);
        let [_, _, plain, _] = documents(&game).unwrap();
        assert!(plain.contains(last), "{plain}");
    }
}

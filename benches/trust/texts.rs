//! Texts that are made to take much time or memory, and could still be given to the
//! program as PGN.

use super::random::Random;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

/// A text: its name, and a function that makes it with at most this many bytes.
type Text = (&'static str, fn(&mut Random, usize) -> Vec<u8>);

/// All texts.
pub(crate) const TEXTS: &[Text] = &[
    ("nothing but (", |_, bytes| {
        repeated(bytes, "(", "1. e4 ", "")
    }),
    ("variation in variation", |_, bytes| {
        repeated(bytes, "(1. d4 ", "1. e4 ", "")
    }),
    ("variations side by side", |_, bytes| {
        repeated(bytes, "(1. d4) ", "1. e4 ", "*\n")
    }),
    ("empty variations", |_, bytes| {
        repeated(bytes, "() ", "1. e4 ", "*\n")
    }),
    ("empty variations in a row", |_, bytes| {
        repeated(bytes, "()", "1. e4 ", " *\n")
    }),
    ("NAGs in a row", |_, bytes| {
        repeated(bytes, "$1", "1. e4 ", " *\n")
    }),
    ("empty variations of comments", |_, bytes| {
        repeated(bytes, "({})", "1. e4 ", " *\n")
    }),
    ("nothing but {", |_, bytes| repeated(bytes, "{", "", "")),
    ("empty comments", |_, bytes| {
        repeated(bytes, "{}", "1. e4 ", " *\n")
    }),
    ("comments of a line", |_, bytes| {
        repeated(bytes, ";\n", "1. e4 ", " *\n")
    }),
    ("one comment", |_, bytes| {
        repeated(bytes, "a ", "1. e4 {", "} *\n")
    }),
    ("NAGs", |_, bytes| repeated(bytes, "$1 ", "1. e4 ", "*\n")),
    ("glyphs", |_, bytes| repeated(bytes, "!", "1. e4", " *\n")),
    ("tag pairs of one game", |_, bytes| {
        repeated(bytes, "[A \"\"]\n", "", "\n*\n")
    }),
    ("games of one tag pair", |_, bytes| {
        repeated(bytes, "[A \"\"]\n\n*\n\n", "", "")
    }),
    ("one tag value", |_, bytes| {
        repeated(bytes, "a", "[Event \"", "\"]\n\n*\n")
    }),
    ("one tag name", |_, bytes| {
        repeated(bytes, "a", "[", " \"\"]\n\n*\n")
    }),
    ("a new tag name in each game", |random, bytes| {
        fill_with(bytes, |text, number| {
            let name = random.next() >> 16;
            *text += &format!("[T{name:x}{number} \"a\"]\n\n*\n\n");
        })
    }),
    ("a new player in each game", |random, bytes| {
        fill_with(bytes, |text, number| {
            let name = random.next();
            *text += &format!("[White \"P{name:x}\"]\n[Black \"{number}\"]\n\n*\n\n");
        })
    }),
    ("many tags of two values", |random, bytes| {
        fill_with(bytes, |text, _| {
            for tag in 0..100 {
                *text += &format!("[T{tag} \"{}\"]\n", random.below(2));
            }
            *text += "\n*\n\n";
        })
    }),
    ("many tags of many values", |random, bytes| {
        fill_with(bytes, |text, _| {
            for tag in 0..100 {
                *text += &format!("[T{tag} \"{}\"]\n", random.below(1000));
            }
            *text += "\n*\n\n";
        })
    }),
    ("tags that follow from others", |random, bytes| {
        fill_with(bytes, |text, _| {
            let mut value = random.below(10);
            for tag in 0..150 {
                value = (7 * value + random.below(2)) % 10;
                *text += &format!("[T{tag} \"{value}\"]\n");
            }
            *text += "\n*\n\n";
        })
    }),
    ("all tags new in each game", |random, bytes| {
        fill_with(bytes, |text, _| {
            for tag in [
                "Event", "Site", "Date", "Round", "White", "Black", "ECO", "Opening",
            ] {
                let value = random.next();
                *text += &format!("[{tag} \"{value}\"]\n");
            }
            *text += "\n1. e4 *\n\n";
        })
    }),
    ("games of a result", |_, bytes| {
        repeated(bytes, "*\n", "", "")
    }),
    ("results in a line", |_, bytes| {
        repeated(bytes, "1-0 ", "", "\n")
    }),
    ("games of a ply", |_, bytes| {
        repeated(bytes, "1. e4 *\n\n", "", "")
    }),
    ("games of a ply in a line", |_, bytes| {
        repeated(bytes, "e4 * ", "", "")
    }),
    ("plies, nothing else", |random, bytes| {
        plies(random, bytes, Chess::new(), "")
    }),
    ("plies of many choices", |random, bytes| {
        let fen: Fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
            .parse()
            .expect("a FEN");
        let start = fen
            .clone()
            .into_position(CastlingMode::Standard)
            .expect("a position");
        plies(random, bytes, start, &format!("[FEN \"{fen}\"]\n\n"))
    }),
    ("knights to and fro", |_, bytes| {
        repeated(bytes, "Nf3 Nf6 Ng1 Ng8 ", "", "*\n")
    }),
    ("passes", |_, bytes| repeated(bytes, "-- ", "", "*\n")),
    ("illegal moves", |_, bytes| {
        repeated(bytes, "1. Ke5 *\n\n", "", "")
    }),
    ("a few moves from any position", |random, bytes| {
        fill_with(bytes, |text, number| {
            let mut position = Chess::new();
            let before = random.below(80);
            random_moves(random, &mut position, before);
            let fen = Fen::from_position(&position, EnPassantMode::Legal);
            let moves = random_moves(random, &mut position, 8);
            *text += &format!("[Event \"{number}\"]\n[FEN \"{fen}\"]\n\n{moves}*\n\n");
        })
    }),
    ("64 queens", |_, bytes| {
        repeated(
            bytes,
            "[FEN \"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ w - - 0 1\"]\n\n1. Qa1 *\n\n",
            "",
            "",
        )
    }),
    ("no kings", |_, bytes| {
        repeated(
            bytes,
            "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. Qa1 *\n\n",
            "",
            "",
        )
    }),
    ("FENs of any bytes", |random, bytes| {
        fill_with(bytes, |text, _| {
            let fen: String = (0..40)
                .map(|_| *random.pick(&b"rnbqkpPRNBQK12345678/ w-KQ"[..]) as char)
                .collect();
            *text += &format!("[FEN \"{fen}\"]\n\n1. e4 *\n\n");
        })
    }),
    ("shuffled set-ups", |random, bytes| {
        fill_with(bytes, |text, _| {
            let mut rank = *b"RNBQKBNR";
            for at in (1..8).rev() {
                rank.swap(at, random.below(at + 1));
            }
            let white = String::from_utf8_lossy(&rank).into_owned();
            let black = white.to_lowercase();
            *text += &format!(
                "[Variant \"Chess960\"]\n[FEN \"{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w - - 0 1\"]\n\n1. e4 e5 *\n\n"
            );
        })
    }),
    ("drops", |_, bytes| {
        repeated(
            bytes,
            "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 Q@e5 *\n\n",
            "",
            "",
        )
    }),
    ("a variant that nobody knows", |random, bytes| {
        fill_with(bytes, |text, _| {
            *text += &format!("[Variant \"v{:x}\"]\n\n1. e4 *\n\n", random.next())
        })
    }),
    ("clocks that run up", |_, bytes| {
        let mut time = 0u64;
        game_with(bytes, || {
            time += 977;
            let (hours, minutes, seconds) = (time / 3600, time / 60 % 60, time % 60);
            format!("{{[%clk {hours}:{minutes:02}:{seconds:02}]}} ")
        })
    }),
    ("clocks without order", |random, bytes| {
        game_with(bytes, || {
            format!(
                "{{[%clk {}:{:02}:{:02}.{}]}} ",
                random.below(1000),
                random.below(99),
                random.below(99),
                random.next()
            )
        })
    }),
    ("evaluations without order", |random, bytes| {
        game_with(bytes, || {
            format!(
                "{{[%eval {}.{}]}} ",
                random.next() as i32,
                random.below(1000)
            )
        })
    }),
    ("commands that nobody knows", |random, bytes| {
        game_with(bytes, || {
            format!(
                "{{[%c{:x} {}]}} ",
                random.below(1 << 20),
                random.below(1 << 20)
            )
        })
    }),
    ("arrows", |random, bytes| {
        game_with(bytes, || {
            let mut square = || {
                format!(
                    "{}{}",
                    *random.pick(&b"abcdefgh"[..]) as char,
                    1 + random.below(8)
                )
            };
            format!(
                "{{[%cal G{}{},R{}{}]}} ",
                square(),
                square(),
                square(),
                square()
            )
        })
    }),
    ("lines in comments", |_, bytes| {
        game_with(bytes, || {
            "{(1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O)} ".to_owned()
        })
    }),
    ("words of any letters", |random, bytes| {
        let mut words = words(random, bytes);
        let text = format!("1. e4 {{{}", words.split_off(10));
        format!("{}}} *\n", &text[..bytes - 4]).into_bytes()
    }),
    ("comments of few words", |random, bytes| {
        let vocabulary: Vec<String> = (0..300)
            .map(|_| format!("{:x}", random.below(1 << 16)))
            .collect();
        game_with(bytes, || {
            format!(
                "{{{} {} {}}} ",
                random.pick(&vocabulary),
                random.pick(&vocabulary),
                random.pick(&vocabulary)
            )
        })
    }),
    ("any bytes", |random, bytes| {
        (0..bytes).map(|_| random.byte()).collect()
    }),
    ("any printable bytes", |random, bytes| {
        (0..bytes).map(|_| b' ' + random.byte() % 95).collect()
    }),
    ("signs of PGN", |random, bytes| {
        (0..bytes)
            .map(|_| *random.pick(&b"[]{}();%$\"\\*.!? \n\re4N1-0"[..]))
            .collect()
    }),
    ("one byte", |_, bytes| repeated(bytes, "a", "", "")),
    ("NULs", |_, bytes| repeated(bytes, "\0", "", "")),
    ("empty lines", |_, bytes| repeated(bytes, "\n", "", "")),
    ("byte order marks", |_, bytes| {
        repeated(bytes, "\u{feff}", "", "")
    }),
    ("escapes", |_, bytes| repeated(bytes, "%\n", "", "")),
    ("quotes", |_, bytes| {
        repeated(bytes, "\\\"", "[Event \"", "\"]\n\n*\n")
    }),
    ("unclosed tag pairs", |_, bytes| {
        repeated(bytes, "[Event \"\n", "", "")
    }),
    ("unclosed comments", |_, bytes| {
        repeated(bytes, "[Event \"a\"]\n\n1. e4 {\n\n", "", "")
    }),
    ("move numbers", |_, bytes| {
        repeated(bytes, "1. ", "", "e4 *\n")
    }),
    ("a move number", |_, bytes| {
        repeated(bytes, "9", "", ". e4 *\n")
    }),
    ("lines of other ends", |random, bytes| {
        fill_with(bytes, |text, number| {
            *text += &format!(
                "[Round \"{number}\"]{0}{0}1. e4{0}*{0}{0}",
                random.pick(&["\n", "\r\n", "\r", "\n\r"])
            )
        })
    }),
];

/// Repeats a part to fill the given number of bytes.
fn repeated(bytes: usize, part: &str, before: &str, suffix: &str) -> Vec<u8> {
    let available = bytes - before.len() - suffix.len();
    [before, &part.repeat(available / part.len()), suffix]
        .concat()
        .into_bytes()
}

/// Calls `add` until the text would exceed the given number of bytes.
fn fill_with(bytes: usize, mut add: impl FnMut(&mut String, usize)) -> Vec<u8> {
    let mut text = String::new();
    for number in 0.. {
        let len = text.len();
        add(&mut text, number);
        if text.len() > bytes {
            text.truncate(len);
            break;
        }
    }
    text.into_bytes()
}

/// One game of knights that move to and fro, with the result of `add` after each ply.
fn game_with(bytes: usize, mut add: impl FnMut() -> String) -> Vec<u8> {
    let mut plies = ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle();
    fill_with(bytes, |text, _| {
        *text += plies.next().expect("a cycle");
        *text += " ";
        *text += &add();
    })
}

/// Random legal moves.
fn plies(random: &mut Random, bytes: usize, start: Chess, tags: &str) -> Vec<u8> {
    let mut position = start.clone();
    fill_with(bytes, |text, number| {
        if number == 0 {
            *text += tags;
        }
        match random_moves(random, &mut position, 1) {
            ply if ply.is_empty() => {
                position = start.clone();
                *text += "*\n\n";
                *text += tags;
            }
            ply => *text += &ply,
        }
    })
}

/// At most `plies` random legal moves; fewer if the game ends.
fn random_moves(random: &mut Random, position: &mut Chess, plies: usize) -> String {
    let mut text = String::new();
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let chosen = *random.pick(&legal);
        text += &SanPlus::from_move_and_play_unchecked(position, chosen).to_string();
        text += " ";
    }
    text
}

/// Words of random letters.
fn words(random: &mut Random, bytes: usize) -> String {
    let mut text = String::new();
    while text.len() < bytes {
        for _ in 0..1 + random.below(9) {
            text.push((b'a' + random.byte() % 26) as char);
        }
        text.push(' ');
    }
    text
}

//! Small files with bytes that an editor would not preserve, and files of extreme depth or length.

use super::Sample;

pub(crate) fn samples() -> Vec<Sample> {
    let mut files: Vec<Sample> = LITERALS
        .iter()
        .map(|(n, bytes)| (*n, bytes.to_vec()))
        .collect();
    files.extend([
        ("deep-variations.pgn", deep_variations(400).into()),
        ("long-comment.pgn", long_comment(300).into()),
        ("every-byte.pgn", every_byte()),
    ]);
    files
}

const LITERALS: [(&str, &[u8]); 14] = [
    ("empty.pgn", b""),
    ("only-newlines.pgn", b"\n\n\r\n\n"),
    (
        "bom.pgn",
        b"\xef\xbb\xbf[Event \"With a byte order mark\"]\n[White \"Player H1\"]\n\
          [Black \"Player H2\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n",
    ),
    (
        "bom-before-each-game.pgn",
        b"\xef\xbb\xbf[Event \"One\"]\n\n1. e4 *\n\n\xef\xbb\xbf[Event \"Two\"]\n\n1. d4 *\n\n",
    ),
    (
        "no-final-newline.pgn",
        b"[Event \"Cut short\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1",
    ),
    (
        "latin-1.pgn",
        b"[Event \"Caf\xe9 de la R\xe9gence\"]\n[White \"L\xe9gal, Sire de\"]\n[Black \"Saint-Brie\"]\n\
          [Result \"1-0\"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 {le clouage na\xeff} 4. Nc3 g6\n\
          5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# {\xab \xe9chec et mat \xbb} 1-0\n\n",
    ),
    (
        "fen-texts.pgn",
        b"[Event \"A clock above 255\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 256 300\"]\n\n300. e4 *\n\n\
          [Event \"The highest clock of a byte\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 255 300\"]\n\n300. e4 *\n\n\
          [Event \"Nine queens\"]\n[FEN \"k7/8/8/8/8/8/QQQQQQQQ/QK6 w - - 0 1\"]\n\n1. Qh8# 1-0\n\n\
          [Event \"Without moves\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*\n\n\
          [Event \"No position\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n\
          [Event \"Empty\"]\n[FEN \"\"]\n\n1. e4 *\n\n\
          [Event \"Unknown\"]\n[FEN \"?\"]\n\n1. e4 *\n\n\
          [Event \"Latin-1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\xe9\"]\n\n1. e4 *\n\n\
          [Event \"Two blanks\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3  w - - 0 1\"]\n\n1. e4 *\n\n\
          [Event \"Underscores\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1\"]\n\n1. e4 *\n\n\
          [Event \"A number with a zero before it\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 00 1\"]\n\n1. e4 *\n\n\
          [Event \"Rights in another order\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1\"]\n\n1. Ra2 *\n\n\
          [Event \"Rights in both spellings\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQha - 0 1\"]\n\n1. Ra2 *\n\n\
          [Event \"The first is empty\"]\n[FEN \"\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n\
          [FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\n[Event \"First of the tags\"]\n[FEN \"\"]\n\n1. O-O *\n\n",
    ),
    (
        // GBK for "Beijing" as the site, and for a comment "red moves first".
        "gbk.pgn",
        b"[Event \"GBK\"]\r\n[Site \"\xb1\xb1\xbe\xa9\"]\r\n[Result \"*\"]\r\n\r\n\
          1. e4 {\xba\xec\xcf\xc8} e5 2. Nf3 *\r\n\r\n",
    ),
    (
        "nul-bytes.pgn",
        b"[Event \"N\0L\"]\n[Result \"*\"]\n\n1. e4\0 e5 {a\0b} 2. Nf3 \0\0 *\n\0\0\0\0\n",
    ),
    (
        "cr-only.pgn",
        b"[Event \"Old Macintosh\"]\r[Result \"*\"]\r\r1. e4 e5\r2. Nf3 *\r\r[Event \"Second\"]\r\r1. c4 *\r",
    ),
    (
        "mixed-line-endings.pgn",
        b"[Event \"Mixed\"]\r\n[Site \"?\"]\n[Result \"1/2-1/2\"]\r\n\n1. e4 e5\r\n2. Nf3\tNc6 \n\
          3.  Bb5   a6\n\r\n\r4. Ba4 1/2-1/2\n\n\n",
    ),
    (
        "trailing-spaces.pgn",
        b" [Event \"Spaces\"]  \n[Site\t\"?\" ] \n[ Result \"*\"]\n   \n 1 . e4  e5 \n\t2.Nf3\x0b Nc6\x0c * \n \n",
    ),
    (
        "garbage.pgn",
        b"\x89\xff\xfe\x00binary\x7f\x80]]][[[\"\"\"{{}}))((;;%\n$999999999999 $-1 1. 2. 3... \
          \xf0\x28\x8c\x28\n[Event \"after\"]\n\n1. e4 e9 0-0-0-0 Zz9 --- +++ 1-0-1\n",
    ),
    ("one-byte.pgn", b"["),
];

/// A variation inside a variation, `depth` times: `1. e4 (1. d4 (1. e4 …))`.
fn deep_variations(depth: usize) -> String {
    let openings = ["1. e4 (", "1. d4 ("];
    let down: String = openings.iter().copied().cycle().take(depth).collect();
    let up = ")".repeat(depth);
    format!("[Event \"Deep\"]\n[Result \"*\"]\n\n{down}1. e4 {up} *\n\n")
}

/// A comment far longer than the 255 bytes of an import format line.
fn long_comment(words: u32) -> String {
    let words: String = (0..words).map(|n| format!("word{n} ")).collect();
    format!("[Event \"{words}\"]\n\n1. e4 {{{words}}} e5 *\n\n")
}

/// All 256 byte values, in a tag, in a comment and between moves.
fn every_byte() -> Vec<u8> {
    let all: Vec<u8> = (0..=255).collect();
    [
        b"[Event \"",
        &all[..],
        b"\"]\n\n1. e4 {",
        &all[..],
        b"} e5 ",
        &all[..],
        b" 2. Nf3 *\n",
    ]
    .concat()
}

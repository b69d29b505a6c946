use super::*;
use proptest::prelude::*;

fn read(text: &str) -> Expression {
    let read = text.parse::<Expression>();
    read.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Whether two texts are the same expression.
fn is_same(a: &str, b: &str) -> bool {
    format!("{:?}", read(a)) == format!("{:?}", read(b))
}

#[test]
fn all_tests_are_read() {
    for text in [
        "P",
        "Nd5",
        "[RQ]7",
        "pa-c",
        "n[d4,e5-6]",
        "A2 >= 8",
        "isolated Pd",
        "doubled p",
        "passed [Pp]7",
        "backward p = 2",
        "open d",
        "open a-h > 3",
        "half-open white [a,h]",
        "attacked Q",
        "attacked q by [NP]",
        "pinned [Aa]",
        "passed P > passed p",
        "opposite bishops",
        "check",
        "MATE",
        "stalemate",
        "turn black",
        "repeated 3",
        "castled white",
        "castled black long",
        "castled opposite",
        "castled same",
        "plays e8=Q",
        "plays \"Nbd7+\"",
        "moves P to e4-5",
        "takes [Qq]",
        "fen \"4k3/8/8/8/8/8/4P3/4K3 w - -\"",
        "pieces 8/8/8/8/8/8/8/8",
        "material KRP{0-2}kr",
        "imbalance PPvN",
        "pattern 'Nd5 pd6 .e4'",
        "any",
        "end",
    ] {
        read(text);
    }
}

#[test]
fn then_binds_weakest_and_for_strongest() {
    for (text, other) in [
        ("check and mate or end", "(check and mate) or end"),
        ("check or mate then end", "(check or mate) then end"),
        ("not check for 2", "not (check for 2)"),
        ("not check and end", "(not check) and end"),
        ("ever check or end", "(ever check) or end"),
        ("check or (mate or end)", "check or mate or end"),
        ("P>=2", "P >= 2"),
        ("P", "P >= 1"),
        ("P[d4]", "Pd4"),
        ("P[a1-8,b]", "Pa-b"),
        ("P[a,h]7", "P[a7,h7]"),
        ("Pb-a", "Pa-b"),
        ("[KQRBNP]", "A"),
        ("open [a,b]", "open a-b"),
    ] {
        assert!(is_same(text, other), "{text}");
    }
    assert!(!is_same(
        "check then (mate then end)",
        "check then mate then end"
    ));
    assert!(!is_same("check then within 2 mate", "check then mate"));
}

#[test]
fn errors_point_at_the_character() {
    for (text, at, message) in [
        ("", 0, "a test"),
        ("check and", 9, "a test"),
        ("check mate", 6, "`and`, `or`, `then`"),
        ("(check", 6, "`)`"),
        ("chess", 0, "a test"),
        ("Pi", 0, "a test"),
        ("P9", 1, "squares"),
        ("Pd-", 2, "squares"),
        ("P[d4,x]", 5, "squares"),
        ("P[d4", 4, "`]`"),
        ("P[a7,h]7", 7, "squares"),
        ("P[a,h]b", 6, "squares"),
        ("[PX]", 2, "pieces"),
        ("[P", 0, "`]`"),
        ("[]", 1, "pieces"),
        ("P >=", 4, "a test"),
        ("P >= 4294967296", 5, "a number"),
        ("isolated", 8, "pieces"),
        ("isolated Q", 9, "pawns"),
        ("open d4", 5, "files"),
        ("open", 4, "squares"),
        ("half-open d", 10, "`white` or `black`"),
        ("castled up", 8, "`white`, `black`, `same`"),
        ("opposite sides", 9, "`bishops`"),
        ("turn", 4, "`white` or `black`"),
        ("repeated 0", 9, "from 1"),
        ("check for 0", 10, "from 1"),
        ("check then within x mate", 18, "a number"),
        ("check then within 20 moves mate", 21, "without a unit"),
        ("check then within 1 moves k and foo", 32, "a test"),
        ("check then within 1 moves K to z9", 31, "squares"),
        ("check then within 20 plies mate", 21, "without a unit"),
        ("check then within 20 mat", 21, "did you mean mate?"),
        ("isolted P", 0, "did you mean isolated?"),
        ("plays Xe4", 6, "a move"),
        ("plays --", 6, "a move"),
        ("material KX", 9, "'X' is not a piece"),
        ("imbalance PP", 10, "a difference"),
        ("pattern \"Nd5", 8, "not closed"),
        ("fen x", 4, "no position"),
        ("fen 4k3/8/8/8/8/8/4P3/4K3 w", 4, "in quotes"),
        ("pattern \u{e9} and chess", 8, "is not a piece"),
        ("\u{e9}", 0, "a test"),
    ] {
        let error = text.parse::<Expression>().expect_err(text);
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
}

#[test]
fn depth_and_relations_are_bounded() {
    for deep in ["(", "not ", "ever "] {
        assert!(deep.repeat(5000).parse::<Expression>().is_err());
    }
    for joint in [" and ", " or "] {
        drop(read(&vec!["check"; 20_000].join(joint)).flipped());
    }
    for (relation, most) in [(" then ", 1001), (" for 1 or ", 1001), (" or ever ", 1001)] {
        let text = |count| vec!["check"; count].join(relation);
        assert!(text(most).parse::<Expression>().is_ok());
        let error = text(most + 1).parse::<Expression>().expect_err(relation);
        assert!(
            error.message.contains("more than 1000 relations"),
            "{error}"
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_safe(
        words in prop::collection::vec(
            prop_oneof![
                "[a-h1-8PNBRQKpnbrqk=<>()\\[\\],\"' \u{e9}-]{0,6}",
                prop::sample::select(vec![
                    "not", "ever", "and", "or", "then", "within", "for", "2", "check", "castled",
                    "white", "isolated", "attacked", "by", "open", "half-open", "plays", "moves", "to",
                    "takes", "material", "pattern", "fen", "imbalance", "repeated",
                ]).prop_map(str::to_owned),
            ],
            0..12,
        ),
    ) {
        let text = words.join(" ");
        if let Err(error) = text.parse::<Expression>() {
            prop_assert!(error.at <= text.chars().count());
        }
    }
}

use super::*;
use crate::query::structure::find_in_main_line;
use proptest::prelude::*;

const GAME: &str = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 Nf6 5. Nf3 Bg4 6. h3 Bxf3 7. Qxf3 c6 8. Bd2 Nbd7 9. O-O-O *";

/// The ply of the first hit in the game.
fn first(json: &str) -> Option<usize> {
    let query = Query::from_scoutfish(json).unwrap_or_else(|error| panic!("{json}: {error}"));
    let game = crate::pgn::Game::parse(GAME.as_bytes()).moves().unwrap();
    find_in_main_line(&game, &query.positions)
}

#[test]
fn rules_are_those_of_the_documentation() {
    for (json, ply) in [
        (r#"{"sub-fen": "8/8/8/q7/8/8/8/8"}"#, Some(6)),
        (
            r#"{"sub-fen": ["8/8/8/r7/8/8/8/8", "8/8/8/q7/8/8/8/8 w - - 0 1"]}"#,
            Some(6),
        ),
        (
            r#"{"material": "KQRRBBNNPPPPPPPPKQRRBBNNPPPPPPPP"}"#,
            Some(0),
        ),
        (
            r#"{"material": "KQRRBBNNPPPPPPPPKQRRBBNNPPPPPPP"}"#,
            Some(3),
        ),
        (r#"{"imbalance": "Pv"}"#, Some(3)),
        (r#"{"imbalance": ["vP", "vN"]}"#, Some(12)),
        (r#"{"white-move": "O-O-O"}"#, Some(16)),
        (r#"{"black-move": ["Nc6", "Nbd7"]}"#, Some(15)),
        (r#"{"white-move": "d5"}"#, Some(2)),
        (r#"{"white-move": "e4", "black-move": "d5"}"#, Some(0)),
        (r#"{"moved": "Q", "captured": "NP"}"#, Some(3)),
        (r#"{"captured": "", "stm": "black"}"#, Some(1)),
        (r#"{"stm": "BLACK", "captured": "n"}"#, Some(11)),
        (r#"{"pass": ""}"#, Some(0)),
        (r#"{"result-type": "mate"}"#, None),
        (r#"{"result": "1-0"}"#, Some(0)),
        (
            r#"{"sequence": [{"stm": "white"}, {"captured": "P"}, {"captured": "P"}]}"#,
            Some(3),
        ),
        (
            r#"{"streak": [{"white-move": "e4"}, {"pass": ""}, {"captured": "P"}]}"#,
            Some(2),
        ),
        (
            r#"{"streak": [{"white-move": "e4"}, {"captured": "P"}]}"#,
            None,
        ),
        (
            r#"{"sequence": [{"white-move": "d4"}, {"streak": [{"moved": "N"}, {"moved": "B"}]}]}"#,
            Some(9),
        ),
    ] {
        assert_eq!(first(json), ply, "{json}");
    }
}

/// The streak fails at the first captures, and its start is one of these.
#[test]
fn a_streak_may_begin_within_another() {
    let streak = r#"{"streak": [{"captured": "P"}, {"captured": "P"}, {"captured": ""}]}"#;
    assert_eq!(first(streak), Some(4));
    let streak = r#"{"streak": [{"stm": "white"}, {"pass": ""}, {"white-move": "h3"}]}"#;
    assert_eq!(first(streak), Some(10));
}

#[test]
fn results_are_tags() {
    let filter = |json| Query::from_scoutfish(json).unwrap().filter;
    assert_eq!(filter(r#"{"pass": ""}"#), None);
    let one = filter(r#"{"streak": [{"result": ["1-0", "0-1"]}, {"captured": "Q"}]}"#);
    let results = ["1-0", "0-1"].map(|result| Filter::tag_equals("Result", result));
    assert_eq!(one, Some(Filter::all([Filter::any(results)])));
    let draw = ["1/2-1/2", "1/2"].map(|result| Filter::tag_equals("Result", result));
    let draw = Filter::all([Filter::any([Filter::any(draw)])]);
    assert_eq!(filter(r#"{"result": "1/2-1/2"}"#), Some(draw));
}

#[test]
fn errors_name_the_rule() {
    for (json, place, message) in [
        ("", "line 1, column 0", "EOF"),
        ("{\n \"stm\" \"white\"}", "line 2, column 8", "expected `:`"),
        ("[]", "query", "an object"),
        ("{}", "query", "no rule"),
        (r#"{"color": "white"}"#, "color", "no rule of this name"),
        (r#"{"stm": "balck"}"#, "stm", "\"white\" or \"black\""),
        (r#"{"stm": ["white"]}"#, "stm", "\"white\" or \"black\""),
        (r#"{"limit": 5, "pass": ""}"#, "limit", "as many hits"),
        (r#"{"sequence": []}"#, "sequence", "a list"),
        (
            r#"{"sequence": [{"pass": ""}], "stm": "white"}"#,
            "stm",
            "goes with `sequence`",
        ),
        (
            r#"{"sequence": [{"pass": ""}, {}]}"#,
            "sequence[1]",
            "no rule",
        ),
        (
            r#"{"sequence": [{"pass": ""}, {"material": "K"}]}"#,
            "sequence[1].material",
            "kings first",
        ),
        (
            r#"{"sequence": [{"streak": [1]}]}"#,
            "sequence[0].streak[0]",
            "an object",
        ),
        (
            r#"{"streak": [{"streak": []}]}"#,
            "streak[0].streak",
            "not in a condition",
        ),
        (r#"{"material": "KQkq"}"#, "material", "kings first"),
        (r#"{"material": []}"#, "material", "kings first"),
        (r#"{"imbalance": "PP"}"#, "imbalance", "White has more"),
        (r#"{"sub-fen": "Nd5"}"#, "sub-fen", "the board of a FEN"),
        (
            r#"{"sub-fen": "8/8/8/8/8/8/8/8"}"#,
            "sub-fen",
            "with a piece",
        ),
        (r#"{"white-move": "x"}"#, "white-move", "SAN"),
        (r#"{"moved": ""}"#, "moved", "letters"),
        (r#"{"captured": "X"}"#, "captured", "letters"),
        (r#"{"result": "2-0"}"#, "result", "\"1-0\""),
        (r#"{"result-type": "draw"}"#, "result-type", "\"mate\""),
    ] {
        let error = Query::from_scoutfish(json).expect_err(json);
        assert_eq!(error.place, place, "{json}");
        assert!(error.message.contains(message), "{json}: {error}");
    }
    let long = format!(
        r#"{{"streak": [{}]}}"#,
        vec![r#"{"pass": ""}"#; 2000].join(",")
    );
    let error = Query::from_scoutfish(&long).expect_err("a long query");
    assert!(error.message.contains("more than 1000"), "{error}");
    let deep = "[".repeat(100_000);
    assert!(Query::from_scoutfish(&deep).is_err());
}

proptest! {
    #[test]
    fn any_text_is_safe(text in r#"[\[\]{}":, a-zA-Z0-9/=-]{0,80}"#) {
        let _ = Query::from_scoutfish(&text);
    }
}

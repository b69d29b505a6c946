use super::*;
use proptest::prelude::*;

fn read(text: &str) -> Condition {
    let read = text.parse::<Filter>();
    read.unwrap_or_else(|error| panic!("{text}: {error}")).0
}

fn literal(text: &str, is_quoted: bool) -> Literal {
    Literal {
        text: text.to_owned(),
        is_quoted,
    }
}

fn tag(name: &str, comparison: Comparison) -> Condition {
    Condition::Test(Test::Compare(FilterField::Tag(name.to_owned()), comparison))
}

#[test]
fn filters_are_read() {
    use Comparison::{AtLeast, AtMost, Equal, Greater, Holds, Present};
    let eco = Condition::And(vec![
        tag("ECO", AtLeast(literal("B90", true))),
        tag("ECO", AtMost(literal("B99", true))),
    ]);
    let expected = Condition::And(vec![
        tag("White", Holds("carlsen".to_owned())),
        tag("WhiteElo", Greater(literal("2700", false))),
        tag("Date", AtLeast(literal("2010", false))),
        Condition::Or(vec![eco, tag("Result", Equal(literal("1/2-1/2", true)))]),
    ]);
    let text = "White ~ \"Carlsen\" and WhiteElo > 2700 and Date >= 2010 \
                and (ECO in \"B90\"..\"B99\" or Result = \"1/2-1/2\")";
    assert_eq!(read(text), expected);
    assert_eq!(
        read(&text.replace(' ', "  ").replace("and", "AND")),
        expected
    );
    assert_eq!(read("WhiteElo?"), tag("WhiteElo", Present));
    assert_eq!(
        read("Date=2010.??.??"),
        tag("Date", Equal(literal("2010.??.??", false)))
    );
    assert_eq!(read("a='x\\'y'"), tag("a", Equal(literal("x'y", true))));
}

#[test]
fn or_binds_weaker_than_and_and_not_binds_strongest() {
    assert_eq!(read("a? and b? or c?"), read("(a? and b?) or c?"));
    assert_eq!(read("not a? and b?"), read("(not a?) and b?"));
    assert_eq!(read("a != 1"), read("not a = 1"));
    assert_eq!(read("a !~ 1"), read("not a ~ 1"));
    assert_eq!(
        read("a not in (1, 2..3)"),
        read("not (a = 1 or (a >= 2 and a <= 3))")
    );
    assert_eq!(read("a in B90..B99"), read("a >= B90 and a <= B99"));
}

#[test]
fn words_of_the_language_are_fields_of_their_own() {
    let compare = |field| Condition::Test(Test::Compare(field, Comparison::Present));
    assert_eq!(read("player?"), compare(FilterField::Player));
    assert_eq!(read("plies?"), compare(FilterField::Plies));
    assert_eq!(
        read("has Clocks"),
        Condition::Test(Test::Has(Feature::Clocks))
    );
    assert_eq!(
        read("variant = atomic"),
        Condition::Test(Test::Variant(Rules::by_name(b"atomic").unwrap()))
    );
}

#[test]
fn errors_point_at_the_character() {
    for (text, at, message) in [
        ("", 0, "name of a tag"),
        ("White", 5, "expected one of"),
        ("White ~", 7, "a value"),
        ("White ~ \"Ca", 8, "not closed"),
        ("Weiß = \"é\" x", 11, "`and`, `or`"),
        ("(a?", 3, "`)`"),
        ("a in (1, 2", 10, "`,` or `)`"),
        ("a in 1..", 8, "a value"),
        ("has x", 4, "`clocks`"),
        ("a not b", 6, "`in`"),
        ("a? and or b?", 7, "name of a tag"),
        ("variant > x", 8, "= or !="),
        ("variant = xyz", 10, "\"xyz\""),
        ("a = = b", 4, "a value"),
        ("plies > five", 8, "a number"),
        ("Date in 2010..may", 14, "a date"),
    ] {
        let error = text.parse::<Filter>().expect_err(text);
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
    let deep = format!("{}a?{}", "(".repeat(5000), ")".repeat(5000));
    assert!(deep.parse::<Filter>().is_err());
    assert!("not ".repeat(5000).parse::<Filter>().is_err());
}

proptest! {
    #[test]
    fn any_text_is_safe(text in "[a-z ()=<>~!?,.\"'0-9\\\\é]{0,60}") {
        if let Err(error) = text.parse::<Filter>() {
            prop_assert!(error.at <= text.chars().count());
        }
    }
}

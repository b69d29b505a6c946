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
    Condition::Test(Test::Compare(name.parse().unwrap(), comparison))
}

#[test]
fn filters_are_read() {
    use Comparison::{AtLeast, Equal, Greater, Holds, Present, Within};
    let eco = tag("ECO", Within(literal("B90", true), literal("B99", true)));
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
    assert_eq!(read("a not in (1, 2..3)"), read("not (a = 1 or a in 2..3)"));
    assert_ne!(read("a in 1..2"), read("a in 1..3"));
}

#[test]
fn text_between_slashes_is_a_regular_expression() {
    let matches = |text: &str, value: &str| match read(text) {
        Condition::Test(Test::Compare(_, Comparison::Matches(pattern))) => pattern.is_match(value),
        other => panic!("{text}: {other:?}"),
    };
    assert!(matches("White ~ /^Carl.*n$/", "Carlsen"));
    assert!(!matches("White ~ /^carl/", "Carlsen"));
    assert!(matches("White ~ /^carl/i", "Carlsen"));
    assert!(matches(
        r"Site ~ /a\/b/ and x?".split(" and").next().unwrap(),
        "a/b"
    ));
    assert_eq!(read("a ~ /x/ and b?"), read("(a ~ /x/) and b?"));
    assert_ne!(read("a ~ /x/"), read("a ~ /y/"));
    assert!("a ~ /(x{1000}){1000}/".parse::<Filter>().is_err());
}

#[test]
fn words_of_the_language_are_fields_of_their_own() {
    for name in ["player", "plies", "elo.mean", "winner.elo", "speed"] {
        let field: Field = name.parse().unwrap();
        assert!(!field.is_tag(), "{name}");
        assert_eq!(read(&format!("{name}?")), tag(name, Comparison::Present));
    }
    let of_tag = Test::Compare(Field::tag("Year"), Comparison::Present);
    assert_eq!(read("\"Year\"?"), Condition::Test(of_tag));
    assert_eq!(read("mate"), read("mate = yes"));
    assert_eq!(read("mate and a?"), read("mate=yes and a?"));
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
        ("variant > x", 8, "=, != or ?"),
        ("variant = xyz", 10, "\"xyz\""),
        ("a = = b", 4, "a value"),
        ("plies > five", 8, "a number"),
        ("Date in 2010..may", 14, "a date"),
        ("WhiteElo > abc", 11, "a number"),
        ("WhiteElo in 1..x", 15, "a number"),
        ("WhiteElo in x..1", 12, "a number"),
        ("elo = x", 6, "a number"),
        ("elo.max > 1", 0, "elo.mean"),
        ("speed = fast", 8, "rapid"),
        ("mate = maybe", 7, "yes or no"),
        ("White ~ /a(/", 9, "unclosed group"),
        ("White ~ /a", 9, "not closed"),
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

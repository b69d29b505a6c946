//! Tests of filters that no game is likely to pass, for what is usual in the values of a field.

use super::field::{Field, Operand};
use super::filter::{Comparison, Condition, Filter, Literal, Test};

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

impl Filter {
    /// For each test that no game is likely to pass, why, and what may be meant.
    pub(crate) fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        self.0.collect_doubts(&mut doubts);
        doubts
    }
}

impl Condition {
    fn collect_doubts(&self, doubts: &mut Vec<String>) {
        match self {
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().for_each(|part| part.collect_doubts(doubts));
            }
            Condition::Not(part) => part.collect_doubts(doubts),
            Condition::Test(Test::Compare(field, comparison)) => {
                doubts.extend(doubt(field, comparison));
            }
            Condition::Test(_) => {}
        }
    }
}

fn doubt(field: &Field, comparison: &Comparison) -> Option<String> {
    let name = field.to_string().to_lowercase();
    let of_value = match name.as_str() {
        "eco" => of_eco(comparison),
        "result" => of_result(comparison),
        "winner" | "loser" => of_side(&name, comparison),
        "comments" => of_comments(comparison),
        "elo.class" => of_class(comparison),
        _ => None,
    };
    of_value.or_else(|| of_range(field, comparison))
}

/// The text that a value is to be equal to.
fn equal(comparison: &Comparison) -> Option<&str> {
    match comparison {
        Comparison::Equal(literal) => Some(&literal.text),
        _ => None,
    }
}

fn of_eco(comparison: &Comparison) -> Option<String> {
    let text = &comparison.literal()?.text;
    let upper = text.to_ascii_uppercase();
    if let Some((from, to)) = upper.split_once('-') {
        return Some(format!("a range is written with dots: ECO in {from}..{to}"));
    }
    let is_lower = text.starts_with(|letter: char| letter.is_ascii_lowercase());
    is_lower.then(|| format!("{text:?}: ECO codes begin with an upper-case letter: {upper}"))
}

fn of_result(comparison: &Comparison) -> Option<String> {
    let text = equal(comparison)?;
    let why = || format!("{text:?}: a Result is 1-0, 0-1, 1/2-1/2 or *");
    (!RESULTS.contains(&text)).then(why)
}

fn of_side(name: &str, comparison: &Comparison) -> Option<String> {
    let text = match comparison {
        Comparison::Holds(folded) => folded,
        _ => equal(comparison)?,
    };
    let wins = |side: &str| text.eq_ignore_ascii_case(side);
    let result = match (wins("white"), wins("black"), name) {
        (true, _, "winner") | (_, true, "loser") => "1-0",
        (true, ..) | (_, true, _) => "0-1",
        _ => return None,
    };
    Some(format!(
        "the {name} is a player, not a side: Result = {result}"
    ))
}

fn of_comments(comparison: &Comparison) -> Option<String> {
    let is_number = comparison.literal()?.number().is_some();
    let is_order = !matches!(comparison, Comparison::Equal(_));
    (is_number && is_order).then(|| {
        "comments are texts, not a number: comments? finds games with a comment".to_owned()
    })
}

fn of_class(comparison: &Comparison) -> Option<String> {
    let number = equal(comparison)?.parse::<u64>().ok()?;
    let hundred = number / 100 * 100;
    let why = || format!("a value of elo.class is a hundred: {hundred} for {number}");
    (number != hundred).then(why)
}

fn of_range(field: &Field, comparison: &Comparison) -> Option<String> {
    let Comparison::Within(low, high) = comparison else {
        return None;
    };
    let why = || {
        let (low, high) = (&low.text, &high.text);
        format!("the range {low}..{high} ends before it begins")
    };
    is_below(field, high, low).then(why)
}

/// Whether a value of a field is below another.
fn is_below(field: &Field, low: &Literal, high: &Literal) -> bool {
    if let (Some(low), Some(high)) = (low.number(), high.number()) {
        return low < high;
    }
    let low = field.operand_of(&low.text);
    low.is_some_and(|low: Operand<'_>| low.passes(&Comparison::Less(high.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubts(filter: &str) -> Vec<String> {
        filter.parse::<Filter>().unwrap().doubts()
    }

    #[test]
    fn tests_that_no_game_passes_are_explained() {
        for (filter, why) in [
            ("ECO in b90-B99", "ECO in B90..B99"),
            ("ECO in b90..b99", "upper-case letter: B90"),
            ("eco = b90", "upper-case letter: B90"),
            ("result = draw", "1/2-1/2"),
            ("White ~ tal and not result = 1/2", "1/2-1/2"),
            ("Result in (1-0, white)", "\"white\": a Result is"),
            ("winner = White", "Result = 1-0"),
            ("winner ~ black", "Result = 0-1"),
            ("loser = black", "Result = 1-0"),
            ("loser = White", "Result = 0-1"),
            ("comments > 0", "comments?"),
            ("elo in 2500..2400", "2500..2400 ends before it begins"),
            ("ECO in B99..B90", "B99..B90 ends"),
            ("Date in 2010.05.17..2010.05.16", "ends before"),
            ("speed in rapid..blitz", "rapid..blitz ends"),
            ("elo.class = 1499", "1400 for 1499"),
        ] {
            let found = doubts(filter);
            assert!(
                matches!(&found[..], [one] if one.contains(why)),
                "{filter}: {found:?}"
            );
        }
    }

    #[test]
    fn usual_tests_raise_no_doubts() {
        for filter in [
            "ECO in B90..B99 or ECO = B90a or ECO?",
            "Result = 1/2-1/2 or Result in (1-0, \"0-1\", *)",
            "winner ~ tal or loser = \"White, A\" or White = White",
            "comments ~ 0 and comments? and has comments",
            "elo in 2400..2500 and elo.class = 1400 and month in 1..12",
            "elo.class > 1499 and speed in bullet..rapid",
            "Date in 2010.05.16..2010.05.17 and Date in 2010..2010",
        ] {
            assert_eq!(doubts(filter), [""; 0], "{filter}");
        }
    }
}

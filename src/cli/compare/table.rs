//! The figures as tables.

use super::super::figures::{count, grouped, ratio};
use super::NOT_COUNTED_NOTE;
use super::method::Method;
use super::tally::{CodecSums, CompareTally, PartsSum};

/// The width of the column of names. The longest name fits.
const NAME_WIDTH: usize = 31;

/// The tables with their notes.
pub(super) fn text(tally: &CompareTally) -> String {
    let mut out = format!(
        "{}, {}",
        count(tally.games, "game"),
        count(tally.plies, "ply")
    );
    if tally.games > 0 {
        let a_game = ratio(tally.plies, tally.games);
        out.push_str(&format!(", {a_game:.1} plies a game\n\n"));
        out.push_str(&codecs(tally));
        out.push_str(&parts(tally));
        out.push_str(&format!(
            "\nencode, decode: millions of plies a second, one thread.\n{NOT_COUNTED_NOTE}"
        ));
    }
    out.push('\n');
    out.push_str(&left_out(tally));
    out
}

/// One row per codec, and one for `auto`.
fn codecs(tally: &CompareTally) -> String {
    let mut out = format!(
        "{:<NAME_WIDTH$}{:>9}{:>9}{:>10}{:>9}{:>8}{:>8}\n",
        "codec", "bits/ply", "B/game", "smallest", "cannot", "encode", "decode"
    );
    for (method, sums) in Method::all().into_iter().zip(&tally.codecs) {
        out.push_str(&row(&method.title(), sums));
    }
    out.push_str(&row("auto", &tally.auto));
    out
}

fn row(name: &str, sums: &CodecSums) -> String {
    format!(
        "{name:<NAME_WIDTH$}{:>9}{:>9}{:>8.2} %{:>9}{:>8}{:>8}\n",
        figure(sums.bits_per_ply()),
        figure(sums.bytes_per_game()),
        100.0 * sums.smallest_share(),
        grouped(sums.unsupported),
        figure(sums.encode_speed().map(millions)),
        figure(sums.decode_speed().map(millions)),
    )
}

fn millions(number: f64) -> f64 {
    number / 1e6
}

fn figure(number: Option<f64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.2}"))
}

/// The parts of encodings, for the codecs that report them; empty if none does.
fn parts(tally: &CompareTally) -> String {
    let rows = Method::all().into_iter().zip(&tally.codecs);
    let rows: String = rows
        .filter(|(_, sums)| sums.parts.games > 0)
        .map(|(method, sums)| parts_row(&method.title(), &sums.parts))
        .collect();
    if rows.is_empty() {
        return rows;
    }
    format!(
        "\n{:<NAME_WIDTH$}{:>9}{:>9}{:>10}{:>9}\n{rows}",
        "bits a game", "trees", "start", "moves", "padding"
    )
}

fn parts_row(name: &str, parts: &PartsSum) -> String {
    format!(
        "{name:<NAME_WIDTH$}{:>9.2}{:>9.2}{:>10.2}{:>9.2}\n",
        parts.per_game(parts.bits.trees),
        parts.per_game(parts.bits.start),
        parts.per_game(parts.bits.moves),
        parts.per_game(parts.padding_bits()),
    )
}

/// One line per reason for which games are not measured.
fn left_out(tally: &CompareTally) -> String {
    let mut reasons: Vec<(&str, u64)> = vec![("no plies", tally.without_plies)];
    reasons.extend(tally.skipped.iter().map(|(why, games)| (*why, *games)));
    let line = |(why, games): (&str, u64)| format!("{} left out: {why}\n", count(games, "game"));
    let counted = reasons.into_iter().filter(|(_, games)| *games > 0);
    counted.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tally::{CodecResults, Coded};
    use super::*;
    use crate::internals::moves::LineParts;
    use std::time::Duration;

    fn tally(parts: Option<LineParts>) -> CompareTally {
        let coded = Coded {
            bytes: 15,
            encode: Duration::from_micros(5),
            decode: Duration::from_micros(4),
            parts,
        };
        let mut codecs = vec![None; Method::all().len()];
        codecs[1] = Some(coded);
        let mut tally = CompareTally::new(codecs.len());
        tally.add(
            10,
            &CodecResults {
                codecs,
                auto: Some(Coded {
                    encode: Duration::from_micros(20),
                    ..coded
                }),
            },
        );
        tally
    }

    fn cells<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
        let line = text.lines().find(|line| line.starts_with(name));
        line.unwrap()[NAME_WIDTH..].split_whitespace().collect()
    }

    #[test]
    fn a_row_has_all_figures() {
        let text = text(&tally(None));
        let [first, second] = [Method::all()[0].title(), Method::all()[1].title()];
        assert_eq!(cells(&text, &first), ["-", "-", "0.00", "%", "1", "-", "-"]);
        assert_eq!(
            cells(&text, &second),
            ["12.00", "15.00", "100.00", "%", "0", "2.00", "2.50"]
        );
        assert_eq!(cells(&text, "auto")[5..], ["0.50", "2.50"]);
        assert!(text.starts_with("1 game, 10 plies, 10.0 plies a game\n"));
        assert!(text.contains(NOT_COUNTED_NOTE) && !text.contains("bits a game"));
    }

    #[test]
    fn parts_have_a_table_of_their_own() {
        let parts = LineParts {
            trees: 60,
            start: 0,
            moves: 57,
        };
        let text = text(&tally(Some(parts)));
        let (_, table) = text.split_once("bits a game").unwrap();
        assert_eq!(
            cells(table, &Method::all()[1].title()),
            ["60.00", "0.00", "57.00", "3.00"]
        );
    }

    #[test]
    fn skipped_games_are_reported() {
        let mut tally = tally(None);
        tally.without_plies = 2;
        tally.skip("illegal");
        let text = text(&tally);
        assert!(text.ends_with("2 games left out: no plies\n1 game left out: illegal\n"));
        assert_eq!(super::text(&CompareTally::new(0)), "0 games, 0 plies\n");
    }

    #[test]
    fn names_fit_their_column() {
        for method in Method::all() {
            assert!(method.title().len() < NAME_WIDTH - 1);
        }
    }
}

use super::super::golden::assert_in_spec;
use super::super::range::{Decoder, Encoder};
use super::levels::{UNFITTED, right_share};
use super::tree::{Levels, SymbolNode};
use super::*;
use crate::limits::Limits;
use proptest::prelude::*;

/// Symbols and their places, as a field would code them.
type SymbolScript = Vec<(SymbolContext, u8)>;

fn families() -> Vec<Family> {
    let contexts = |symbols, outer, inner| Family {
        symbols,
        outer,
        inner,
    };
    vec![
        Family::without_contexts(1),
        Family::without_contexts(3),
        contexts(5, 4, 1),
        contexts(256, 2, 3),
        Family::numbers(1, 4),
    ]
}

fn script() -> impl Strategy<Value = SymbolScript> {
    let step = (0usize..5, any::<u32>(), any::<u32>(), any::<u8>(), 0u8..4);
    let step = step.prop_map(|(family, outer, inner, symbol, few)| {
        let of = families()[family];
        let place = SymbolContext {
            family,
            outer: outer % of.outer,
            inner: inner % of.inner,
        };
        let symbol = if few == 0 { symbol } else { few };
        let symbol = u16::from(symbol) % of.symbols;
        (place, symbol.to_le_bytes()[0])
    });
    prop::collection::vec(step, 0..400)
}

fn fit(script: &SymbolScript) -> (Vec<u8>, Distributions) {
    let mut tally = Tally::new(&families());
    let mut counter = SymbolCounter(&mut tally);
    for (place, symbol) in script {
        counter.symbol(*place, *symbol).unwrap();
    }
    let bytes = tally.fit();
    let distributions = Distributions::read(&bytes, &families(), &Limits::default()).unwrap();
    (bytes, distributions)
}

fn write(script: &SymbolScript, distributions: &Distributions) -> Vec<u8> {
    let mut encoder = Encoder::new();
    for (place, symbol) in script {
        let written = SymbolWriter(distributions, &mut encoder).symbol(*place, *symbol);
        assert_eq!(written, Ok(*symbol));
    }
    encoder.finish()
}

proptest! {
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn symbols_round_trip(fitted in script(), written in script()) {
        let (_, distributions) = fit(&fitted);
        let bytes = write(&written, &distributions);
        let mut decoder = Decoder::new(&bytes);
        for (place, symbol) in &written {
            prop_assert_eq!(SymbolReader(&distributions, &mut decoder).symbol(*place, 0), Ok(*symbol));
        }
        prop_assert_eq!(decoder.finish(), Ok(()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn bounded_symbols_round_trip(
        fitted in script(),
        written in script(),
        least in any::<u8>(),
    ) {
        let (_, distributions) = fit(&fitted);
        let least = |symbol: u8| least.min(symbol);
        let mut encoder = Encoder::new();
        let (mut free, mut known) = (CostMeter::new(&distributions), CostMeter::new(&distributions));
        for (place, symbol) in &written {
            let written = SymbolWriter(&distributions, &mut encoder).symbol_from(*place, least(*symbol), *symbol);
            prop_assert_eq!(written, Ok(*symbol));
            free.symbol(*place, *symbol).unwrap();
            known.symbol_from(*place, least(*symbol), *symbol).unwrap();
        }
        prop_assert!(known.cost <= free.cost);
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        for (place, symbol) in &written {
            let read = SymbolReader(&distributions, &mut decoder).symbol_from(*place, least(*symbol), 0);
            prop_assert_eq!(read, Ok(*symbol));
        }
        prop_assert_eq!(decoder.finish(), Ok(()));
    }

    #[test]
    fn numbers_round_trip(numbers in prop::collection::vec(
        prop_oneof![0u64..40, any::<u64>().prop_flat_map(|n| (0u32..64).prop_map(move |by| n >> by))],
        0..50,
    )) {
        let (_, distributions) = fit(&SymbolScript::new());
        let place = SymbolContext { family: 4, outer: 0, inner: 2 };
        let mut encoder = Encoder::new();
        let mut meter = CostMeter::new(&distributions);
        for number in &numbers {
            let signed = number.cast_signed();
            let mut writer = SymbolWriter(&distributions, &mut encoder);
            prop_assert_eq!(writer.number(place, *number), Ok(*number));
            prop_assert_eq!(writer.signed(place, signed), Ok(signed));
            prop_assert_eq!(meter.number(place, *number), Ok(*number));
            prop_assert_eq!(meter.signed(place, signed), Ok(signed));
        }
        let bytes = encoder.finish();
        prop_assert!(bytes.len() as u64 <= meter.cost / 8192 + 8 + numbers.len() as u64 / 50);
        let mut decoder = Decoder::new(&bytes);
        for number in &numbers {
            let mut reader = SymbolReader(&distributions, &mut decoder);
            prop_assert_eq!(reader.number(place, 0), Ok(*number));
            prop_assert_eq!(reader.signed(place, 0), Ok(number.cast_signed()));
        }
        prop_assert_eq!(decoder.finish(), Ok(()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn merged_tallies_are_the_tally_of_all(first in script(), second in script()) {
        let count = |tally: &mut Tally, script: &SymbolScript| {
            for (place, symbol) in script {
                SymbolCounter(tally).symbol(*place, *symbol).unwrap();
            }
        };
        let mut tallies = [(); 3].map(|()| Tally::new(&families()));
        let [all, one, two] = &mut tallies;
        count(all, &first);
        count(all, &second);
        count(one, &first);
        count(two, &second);
        two.merge(one);
        prop_assert_eq!(all.fit(), two.fit());
    }

    /// No table makes a reader panic or yields a distribution with a symbol that has no
    /// share.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn valid_tables_give_every_symbol_a_share(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let Ok(distributions) = Distributions::read(&bytes, &families(), &Limits::default()) else {
            return Ok(());
        };
        for (number, family) in families().iter().enumerate() {
            let mut next = 0;
            for symbol in (0..=u8::MAX).take(family.symbols.into()) {
                let place = SymbolContext { family: number, outer: family.outer - 1, inner: family.inner - 1 };
                let share = distributions.distribution(place).unwrap().share(symbol).unwrap();
                prop_assert_eq!(distributions.distribution(place).unwrap().symbol(next), Some(symbol));
                next += share.size();
            }
            prop_assert_eq!(next, 1 << 16);
        }
    }
}

/// Divides an interval among the symbols below a node, as the specification says it.
fn divide(node: SymbolNode, size: u32, levels: &Levels, sizes: &mut Vec<u32>) {
    if node.symbol().is_some() {
        return sizes.push(size);
    }
    let (left, Some(right)) = node.children() else {
        return divide(node.children().0, size, levels, sizes);
    };
    let (on_left, on_right) = (left.width(), right.width());
    let of_left = match levels[node.number] {
        UNFITTED => size * on_left / (on_left + on_right),
        level => size * (65_536 - right_share(level)) / 65_536,
    };
    let of_left = of_left.clamp(on_left, size - on_right);
    divide(left, of_left, levels, sizes);
    divide(right, size - of_left, levels, sizes);
}

proptest! {
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn shares_are_those_of_the_tree(
        symbols in 1u16..=256,
        mut levels in prop::array::uniform32(prop::array::uniform8(0u8..=UNFITTED)),
        unfitted in any::<[bool; 3]>(),
    ) {
        // Nodes of one child have no level.
        let root = SymbolNode::root(&Family::without_contexts(symbols));
        let mut levels: Levels = levels.as_flattened_mut().try_into().unwrap();
        let mut nodes = vec![root];
        while let Some(node) = nodes.pop() {
            if node.symbol().is_some() { continue; }
            let (left, right) = node.children();
            if right.is_none() || unfitted[node.number % 3] { levels[node.number] = UNFITTED; }
            nodes.extend([Some(left), right].into_iter().flatten());
        }
        let mut sizes = Vec::new();
        divide(root, 1 << 16, &levels, &mut sizes);
        let divided = decoded::divide(symbols.into(), &levels);
        prop_assert_eq!(&sizes[..], &divided[..sizes.len()]);
    }
}

/// A symbol that its context determines costs almost nothing, and its entries in the
/// table a few bytes.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn contexts_reduce_cost() {
    let at = |inner| SymbolContext {
        family: 4,
        outer: 0,
        inner,
    };
    let script: SymbolScript = (0..4000)
        .map(|i| (at(i % 4), [7, 9, 200, 31][i as usize % 4]))
        .collect();
    let (table, distributions) = fit(&script);
    assert!(table.len() < 60, "{}", table.len());
    assert!(write(&script, &distributions).len() < 50);
    let few: SymbolScript = script.iter().take(4).copied().collect();
    assert!(fit(&few).0.len() < 12);
}

#[test]
fn unknown_contexts_are_errors() {
    let (_, distributions) = fit(&SymbolScript::new());
    let mut meter = CostMeter::new(&distributions);
    for (family, outer, inner, symbol) in [(5, 0, 0, 0), (2, 4, 0, 0), (3, 0, 3, 0), (1, 0, 0, 3)] {
        let place = SymbolContext {
            family,
            outer,
            inner,
        };
        assert_eq!(
            meter.symbol(place, symbol),
            Err(DistributionError::UnknownContext)
        );
    }
}

#[test]
fn memory_is_bounded() {
    let limits = Limits {
        tables_bytes: 1000,
        ..Limits::default()
    };
    let error = Distributions::read(&[], &families(), &limits).unwrap_err();
    assert_eq!(error, DistributionError::Limit);
    // An empty table gives all contexts of a family one distribution.
    let of_family = |family: &Family| 4 * family.contexts() + 4 * u64::from(family.symbols) + 96;
    let needed = families().iter().map(of_family).sum();
    let read = |tables_bytes| {
        let limits = Limits {
            tables_bytes,
            ..Limits::default()
        };
        Distributions::read(&[], &families(), &limits).map(|read| read.memory_bytes())
    };
    assert_eq!(read(needed), Ok(needed));
    assert_eq!(read(needed - 1), Err(DistributionError::Limit));
}

#[test]
fn spec_examples() {
    let families = [
        Family {
            symbols: 3,
            outer: 2,
            inner: 1,
        },
        Family::numbers(1, 1),
    ];
    let at = |outer| SymbolContext {
        outer,
        ..SymbolContext::only(0)
    };
    let mut tally = Tally::new(&families);
    for (place, symbol, times) in [(at(0), 2, 90), (at(0), 0, 10), (at(1), 1, 50)] {
        for _ in 0..times {
            SymbolCounter(&mut tally).symbol(place, symbol).unwrap();
        }
    }
    let table = tally.fit();
    assert_in_spec("distributions-table", &table);
    let distributions = Distributions::read(&table, &families, &Limits::default()).unwrap();
    let mut encoder = Encoder::new();
    let mut writer = SymbolWriter(&distributions, &mut encoder);
    for (place, symbol) in [(at(0), 2), (at(0), 2), (at(0), 0), (at(1), 1)] {
        writer.symbol(place, symbol).unwrap();
    }
    writer.number(SymbolContext::only(1), 1000).unwrap();
    assert_in_spec("distributions-symbols", &encoder.finish());
}

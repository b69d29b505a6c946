//! Both instruction sets compute the same numbers.

use super::*;
use crate::chess::Square;
use proptest::prelude::*;

struct Dots([u8; 64], [[i8; 64]; DOT_ROWS]);

impl Kernel for Dots {
    type Output = [i32; DOT_ROWS];

    #[inline(always)]
    fn run<I: Isa>(self) -> [i32; DOT_ROWS] {
        I::dots(&self.0, self.1.each_ref())
    }
}

struct Signature<'s, const N: usize>([(Bitboard, &'s [Bitboard; 4]); N]);

impl<const N: usize> Kernel for Signature<'_, N> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self) -> usize {
        I::signature(self.0)
    }
}

fn processors() -> [Processor; 2] {
    [Processor::ANY, Processor::detect()]
}

fn assert_dots(units: [u8; 64], rows: [[i8; 64]; DOT_ROWS]) {
    let sums: [i32; DOT_ROWS] = rows.map(|row| {
        let products = units.iter().zip(row);
        products
            .map(|(unit, weight)| i32::from(*unit) * i32::from(weight))
            .sum()
    });
    assert_eq!(processors().map(|on| on.run(Dots(units, rows))), [sums; 2]);
}

proptest! {
    #[test]
    fn dots_are_sums_of_products(
        units in prop::collection::vec(0..=127u8, 64),
        rows in prop::array::uniform4(prop::collection::vec(any::<i8>(), 64)),
    ) {
        let rows = rows.map(|row| row.try_into().expect("64"));
        assert_dots(units.try_into().expect("64"), rows);
    }
}

struct ShiftedEntries<'t>(&'t [u32; 64], [u32; WORD_LANES]);

impl Kernel for ShiftedEntries<'_> {
    type Output = [u32; WORD_LANES];

    #[inline(always)]
    fn run<I: Isa>(self) -> [u32; WORD_LANES] {
        I::shifted_entries(self.0, &self.1)
    }
}

proptest! {
    #[test]
    fn entries_are_shifted_by_the_high_bits(
        table in prop::collection::vec(any::<u32>(), 64),
        numbers in prop::array::uniform8(prop_oneof![0..4096u32, any::<u32>()]),
    ) {
        let table = table.try_into().expect("64");
        let shifted = numbers.map(|number| {
            let entry: u32 = <[u32; 64]>::as_slice(&table)[(number % 64) as usize];
            u32::try_from(u64::from(entry) >> (number / 64).min(32)).expect("32 bits")
        });
        let found = processors().map(|on| on.run(ShiftedEntries(&table, numbers)));
        assert_eq!(found, [shifted; 2]);
    }
}

struct CodesOf([Bitboard; CODE_BITS]);

impl Kernel for CodesOf {
    type Output = [u8; 64];

    #[inline(always)]
    fn run<I: Isa>(self) -> [u8; 64] {
        I::codes(self.0)
    }
}

proptest! {
    #[test]
    fn codes_have_a_bit_for_each_plane(planes in any::<[u64; CODE_BITS]>()) {
        let planes = planes.map(Bitboard);
        let codes = <[Square; 64]>::map(Square::ALL, |square| {
            (0..).zip(planes).fold(0, |code, (bit, plane)| code | u8::from(plane.contains(square)) << bit)
        });
        assert_eq!(processors().map(|on| on.run(CodesOf(planes))), [codes; 2]);
    }
}

#[test]
fn the_largest_dots() {
    for weight in [i8::MIN, i8::MAX] {
        assert_dots([127; 64], [[weight; 64]; DOT_ROWS]);
    }
}

#[test]
fn signatures_name_the_sets_with_a_square_of_theirs() {
    for wanted in 0..16 {
        let set = |bit: usize| Bitboard(u64::from(wanted >> bit & 1 == 1) << (63 - 20 * bit));
        let sets = [0, 1, 2, 3].map(set);
        let of_all = [(Bitboard::FULL, &sets)];
        assert_eq!(
            processors().map(|on| on.run(Signature(of_all))),
            [wanted; 2]
        );
        let [first, .., last] = [0, 1, 2, 3].map(|bit| Bitboard(1 << (63 - 20 * bit)));
        let of_two = [(first, &sets), (last, &sets)];
        assert_eq!(
            processors().map(|on| on.run(Signature(of_two))),
            [wanted & 9; 2]
        );
    }
    let corner = Bitboard::from_square(Square::A1);
    assert_eq!(
        Processor::detect().run(Signature([(corner, &[corner; 4])])),
        15
    );
}

//! Numbers as symbols. A small number is a symbol. For larger ones, the symbol codes
//! the exponent and the two bits below the highest, and the remaining bits are
//! uniform.

/// The number of symbols of a family of numbers.
pub const NUMBER_SYMBOLS: u16 = 256;

/// Numbers below this are symbols themselves.
const SMALL: u64 = 16;
/// The exponent of [`SMALL`].
const SMALL_BITS: u32 = SMALL.ilog2();

/// The symbol of a number, and the value of its uniform bits.
pub(super) fn split(number: u64) -> (u8, u64) {
    if number < SMALL {
        return (low_byte(number), 0);
    }
    let exponent = number.ilog2();
    let rest = exponent - 2;
    let symbol = SMALL + u64::from(4 * (exponent - SMALL_BITS)) + (number >> rest & 3);
    (low_byte(symbol), number & ((1 << rest) - 1))
}

/// The least number with this symbol, and the number of uniform bits.
pub(super) fn join(symbol: u8) -> (u64, u32) {
    let symbol = u64::from(symbol);
    let Some(above) = symbol.checked_sub(SMALL) else {
        return (symbol, 0);
    };
    let rest = SMALL_BITS + u32::from(low_byte(above / 4)) - 2;
    ((4 + above % 4) << rest, rest)
}

/// The groups of signed numbers: the first exponent, the first symbol, and the
/// number of bits below the highest that are in the symbol.
const SIGNED: [(u32, u64, u32); 5] = [
    (0, 0, 3),
    (3, 16, 3),
    (7, 80, 2),
    (15, 144, 1),
    (23, 176, 0),
];

/// The symbol of a signed number, and the number of its uniform bits.
///
/// A zigzag code would put the sign in the lowest bit, which is uniform.
pub fn signed_symbol(number: i64) -> (u8, u32) {
    let size = magnitude(number);
    // Numbers up to 7 are symbols, like numbers of exponent 3 without their highest
    // bit.
    let exponent = size.checked_ilog2().unwrap_or(0);
    let exponent = if exponent < 3 { 0 } else { exponent };
    let (first, base, bits) = signed_group(|(from, ..)| from <= exponent);
    let rest = exponent.saturating_sub(bits);
    let within = size >> rest & ((1 << bits) - 1);
    let group = u64::from(exponent - first) << (bits + 1);
    let symbol = base + group + (u64::from(number < 0) << bits) + within;
    (low_byte(symbol), rest)
}

/// The symbol of a signed number, and the value of its uniform bits.
pub(super) fn split_signed(number: i64) -> (u8, u64) {
    let (symbol, rest) = signed_symbol(number);
    (symbol, magnitude(number) & ((1 << rest) - 1))
}

/// The number itself, or −n − 1 of a negative one.
fn magnitude(number: i64) -> u64 {
    (if number < 0 { !number } else { number }).cast_unsigned()
}

/// For the numbers with this symbol: whether they are negative, their least
/// [`magnitude`], and the number of uniform bits.
pub(super) fn join_signed(symbol: u8) -> (bool, u64, u32) {
    let symbol = u64::from(symbol);
    let (first, base, bits) = signed_group(|(_, base, _)| base <= symbol);
    let above = symbol - base;
    let exponent = first + u32::from(low_byte(above >> (bits + 1)));
    let is_negative = above >> bits & 1 != 0;
    let within = above & ((1 << bits) - 1);
    if exponent == 0 {
        return (is_negative, within, 0);
    }
    let rest = exponent.saturating_sub(bits);
    (is_negative, (1 << exponent) | within << rest, rest)
}

/// The last group for which `has_begun` holds.
fn signed_group(has_begun: impl Fn((u32, u64, u32)) -> bool) -> (u32, u64, u32) {
    let last = SIGNED.into_iter().rev().find(|group| has_begun(*group));
    last.unwrap_or_default()
}

fn low_byte(number: u64) -> u8 {
    let [byte, ..] = number.to_le_bytes();
    byte
}

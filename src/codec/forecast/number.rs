//! Numbers as symbols: small ones as they are; of larger ones the exponent and
//! the two bits below the highest are the symbol, and the rest is uniform.

/// Symbols of a family of numbers.
pub const NUMBER_SYMBOLS: u16 = 256;

/// Numbers below this are symbols themselves.
const SMALL: u64 = 16;
/// The exponent of `SMALL`.
const SMALL_BITS: u32 = SMALL.ilog2();

/// The symbol of a number, and the bits that the symbol leaves open.
pub(super) fn split(number: u64) -> (u8, u64) {
    if number < SMALL {
        return (low_byte(number), 0);
    }
    let exponent = number.ilog2();
    let rest = exponent - 2;
    let symbol = SMALL + u64::from(4 * (exponent - SMALL_BITS)) + (number >> rest & 3);
    (low_byte(symbol), number & ((1 << rest) - 1))
}

/// The least number with this symbol, and how many bits the symbol leaves open.
pub(super) fn join(symbol: u8) -> (u64, u32) {
    let symbol = u64::from(symbol);
    let Some(above) = symbol.checked_sub(SMALL) else {
        return (symbol, 0);
    };
    let rest = SMALL_BITS + u32::from(low_byte(above / 4)) - 2;
    ((4 + above % 4) << rest, rest)
}

fn low_byte(number: u64) -> u8 {
    let [byte, ..] = number.to_le_bytes();
    byte
}

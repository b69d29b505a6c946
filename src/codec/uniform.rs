//! Prefix codes of equally likely symbols.
//!
//! For n symbols, with k = ⌊log2 n⌋ and b = n − 2^k, an optimal prefix code has
//! 2^k − b words of k bits and 2b words of k + 1 bits. Every bit string begins
//! with a word, so a reader can fail only at the end of the input.

use std::num::NonZeroU32;

use crate::bits::{BitReader, BitWriter, BitsError};

/// The assignment of words to symbols. A symbol has a word of the same length
/// in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UniformCode {
    /// A long word is the symbol in k bits and a 0, or the symbol − b in k bits
    /// and a 1. Xiangqi share links use this code.
    Phased,
    /// Truncated binary: a long word is the symbol + 2^k − b in k + 1 bits, so
    /// words ascend with their symbols.
    Truncated,
}

/// The parameters of a code.
struct UniformParameters {
    /// k: the width of a short word, in bits.
    bits: u32,
    /// 2^k − b: the number of symbols with short words.
    short: u32,
    /// b: the number of pairs of long words.
    pairs: u32,
}

impl UniformParameters {
    fn new(symbols: NonZeroU32) -> Self {
        let bits = symbols.ilog2();
        let pairs = symbols.get() - (1 << bits);
        UniformParameters {
            bits,
            short: (1 << bits) - pairs,
            pairs,
        }
    }
}

impl UniformCode {
    /// The word of a symbol and its length in bits; `None` if the symbol is not
    /// below `symbols`.
    pub fn word(self, symbol: u32, symbols: NonZeroU32) -> Option<(u32, u32)> {
        let UniformParameters { bits, short, pairs } = UniformParameters::new(symbols);
        if symbol >= symbols.get() {
            return None;
        }
        if symbol < short {
            return Some((symbol, bits));
        }
        let word = match self {
            UniformCode::Truncated => symbol + short,
            UniformCode::Phased if symbol < short + pairs => symbol << 1,
            UniformCode::Phased => (symbol - pairs) << 1 | 1,
        };
        Some((word, bits + 1))
    }

    /// Writes the word of a symbol. Writes nothing if the symbol is not below
    /// `symbols`.
    pub fn write(self, symbol: u32, symbols: NonZeroU32, out: &mut BitWriter) {
        if let Some((word, bits)) = self.word(symbol, symbols) {
            out.push_bits(u64::from(word), bits);
        }
    }

    /// Reads a symbol, which is below `symbols`.
    ///
    /// # Errors
    /// The input ends within the word.
    pub fn read(self, symbols: NonZeroU32, input: &mut BitReader<'_>) -> Result<u32, BitsError> {
        let UniformParameters { bits, short, pairs } = UniformParameters::new(symbols);
        // Fewer than 32 bits.
        let head = u32::try_from(input.read_bits(bits)?).unwrap_or(u32::MAX);
        if head < short {
            return Ok(head);
        }
        let last = input.read_bit()?;
        Ok(match self {
            UniformCode::Phased => head + pairs * u32::from(last),
            // head ≥ short and head < 2^k: below n.
            UniformCode::Truncated => head + (head - short) + u32::from(last),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BOTH: [UniformCode; 2] = [UniformCode::Phased, UniformCode::Truncated];

    fn words(code: UniformCode, symbols: u32) -> Vec<String> {
        let symbols = NonZeroU32::new(symbols).expect("symbols");
        let text = |symbol| {
            let (word, bits) = code.word(symbol, symbols).expect("a word");
            (0..bits)
                .rev()
                .map(|bit| char::from(b'0' + (word >> bit & 1) as u8))
                .collect()
        };
        (0..symbols.get()).map(text).collect()
    }

    #[test]
    fn small_alphabets_have_these_words() {
        let phased = |symbols| words(UniformCode::Phased, symbols).join(" ");
        let truncated = |symbols| words(UniformCode::Truncated, symbols).join(" ");
        assert_eq!(phased(1), "");
        assert_eq!(phased(5), "00 01 10 110 111");
        assert_eq!(truncated(5), "00 01 10 110 111");
        assert_eq!(phased(10), "000 001 010 011 100 101 1100 1110 1101 1111");
        assert_eq!(truncated(10), "000 001 010 011 100 101 1100 1101 1110 1111");
        assert_eq!(phased(4), "00 01 10 11");
        assert_eq!(truncated(4), phased(4));
    }

    /// 37 words of 6 bits and 54 of 7.
    #[test]
    fn words_of_91_symbols() {
        let phased = words(UniformCode::Phased, 91);
        let truncated = words(UniformCode::Truncated, 91);
        for (symbol, of_phased, of_truncated) in [
            (0, "000000", "000000"),
            (36, "100100", "100100"),
            (37, "1001010", "1001010"),
            (38, "1001100", "1001011"),
            (63, "1111110", "1100100"),
            (64, "1001011", "1100101"),
            (90, "1111111", "1111111"),
        ] {
            assert_eq!(phased[symbol], of_phased);
            assert_eq!(truncated[symbol], of_truncated);
        }
    }

    /// The sum of 2^−length is 1: the code is complete.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn words_are_free_of_prefixes_all_used_and_equally_long() {
        for symbols in 1..=200 {
            let lengths = BOTH.map(|code| {
                let words = words(code, symbols);
                for (at, word) in words.iter().enumerate() {
                    let others = words.iter().enumerate().filter(|(other, _)| *other != at);
                    assert!(
                        others
                            .into_iter()
                            .all(|(_, other)| !other.starts_with(word))
                    );
                }
                let parts: u32 = words.iter().map(|word| 1 << (16 - word.len())).sum();
                assert_eq!(parts, 1 << 16);
                words.iter().map(String::len).collect::<Vec<_>>()
            });
            assert_eq!(lengths[0], lengths[1]);
        }
    }

    #[test]
    fn a_symbol_that_there_is_not_has_no_word() {
        let five = NonZeroU32::new(5).expect("5");
        for code in BOTH {
            assert_eq!(code.word(5, five), None);
            let mut out = BitWriter::new();
            code.write(5, five, &mut out);
            assert_eq!(out.bit_len(), 0);
            let cut = code.read(NonZeroU32::MAX, &mut BitReader::new(&[0xff; 3]));
            assert_eq!(cut, Err(BitsError::EndOfInput));
        }
    }

    proptest! {
        #[test]
        fn symbols_come_back(
            picks in prop::collection::vec((any::<u32>(), any::<u32>(), 0u32..32), 1..40),
        ) {
            for code in BOTH {
                let mut out = BitWriter::new();
                let mut symbols = Vec::new();
                for (pick, count, shift) in &picks {
                    let count = NonZeroU32::new(count >> shift).unwrap_or(NonZeroU32::MIN);
                    let symbol = *pick % count;
                    code.write(symbol, count, &mut out);
                    symbols.push((symbol, count));
                }
                let bytes = out.into_bytes();
                let mut input = BitReader::new(&bytes);
                for (symbol, count) in symbols {
                    prop_assert_eq!(code.read(count, &mut input), Ok(symbol));
                }
                prop_assert_eq!(input.finish(), Ok(()));
            }
        }
    }
}

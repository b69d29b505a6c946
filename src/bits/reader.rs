//! Reading bits, most significant first.

use super::BitsError;

/// A cursor over the bits of a byte string that never reads past their end.
#[derive(Debug, Clone)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// Bits read so far.
    position: u64,
}

impl<'a> BitReader<'a> {
    /// A cursor at the first bit of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, position: 0 }
    }

    /// The number of bits that have been read.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The number of bits that have not been read, including padding.
    pub fn remaining(&self) -> u64 {
        self.bytes.len() as u64 * 8 - self.position
    }

    /// Reads one bit.
    pub fn read_bit(&mut self) -> Result<bool, BitsError> {
        let index = usize::try_from(self.position / 8).unwrap_or(usize::MAX);
        let byte = self.bytes.get(index).ok_or(BitsError::EndOfInput)?;
        let bit = byte << (self.position % 8) & 0x80;
        self.position += 1;
        Ok(bit != 0)
    }

    /// Reads the next `count` bits as an unsigned integer, most significant
    /// first. A count above 64 is an error, [`BitsError::EndOfInput`].
    pub fn read_bits(&mut self, count: u32) -> Result<u64, BitsError> {
        let (window, available) = self.window();
        if count > available {
            return Err(BitsError::EndOfInput);
        }
        self.position += u64::from(count);
        Ok(window.checked_shr(u64::BITS - count).unwrap_or(0))
    }

    /// The next eight bits, padded with zeros after the end, and how many of them
    /// are input. Does not advance the cursor.
    pub fn peek_byte(&self) -> (u8, u32) {
        let (window, held) = self.window();
        let [first, ..] = window.to_be_bytes();
        (first, held.min(u8::BITS))
    }

    /// Checks the padding at the end: fewer than 8 bits, all zeros.
    pub fn finish(mut self) -> Result<(), BitsError> {
        let left = u32::try_from(self.remaining()).unwrap_or(u32::MAX);
        if left < u8::BITS && self.read_bits(left) == Ok(0) {
            Ok(())
        } else {
            Err(BitsError::Trailing)
        }
    }

    /// The next 64 bits, most significant first, and how many of them are input:
    /// fewer than 64 only near the end, where zeros follow.
    fn window(&self) -> (u64, u32) {
        let first = usize::try_from(self.position / 8).unwrap_or(usize::MAX);
        let skip = self.position % 8;
        let (head, ninth) = load_be(self.bytes.get(first..).unwrap_or_default());
        let window = head << skip | u64::from(ninth) << skip >> 8;
        let held = u32::try_from(self.remaining()).unwrap_or(u32::MAX);
        (window, held.min(u64::BITS))
    }
}

/// The first eight bytes, big-endian, and the ninth; zeros after the end.
fn load_be(bytes: &[u8]) -> (u64, u8) {
    if let Some([head @ .., ninth]) = bytes.first_chunk::<9>() {
        return (u64::from_be_bytes(*head), *ninth);
    }
    let mut head = [0; 8];
    for (to, from) in head.iter_mut().zip(bytes) {
        *to = *from;
    }
    (u64::from_be_bytes(head), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitWriter;
    use proptest::prelude::*;

    #[test]
    fn bits_come_most_significant_first() {
        let mut reader = BitReader::new(&[0b1001_1011, 0b1000_0000]);
        assert_eq!(reader.read_bit(), Ok(true));
        assert_eq!(reader.read_bits(5), Ok(0b0_0110));
        assert_eq!(reader.read_bits(3), Ok(0b111));
        assert_eq!(reader.position(), 9);
        assert_eq!(reader.remaining(), 7);
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn reading_past_the_end_is_an_error_and_moves_nothing() {
        let mut reader = BitReader::new(&[0xff]);
        assert_eq!(reader.read_bits(9), Err(BitsError::EndOfInput));
        assert_eq!(reader.read_bits(65), Err(BitsError::EndOfInput));
        assert_eq!(reader.read_bits(8), Ok(0xff));
        assert_eq!(reader.read_bit(), Err(BitsError::EndOfInput));
        assert_eq!(reader.read_bits(0), Ok(0));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn a_byte_is_seen_before_it_is_read() {
        let mut reader = BitReader::new(&[0b1001_1011, 0b1110_0000]);
        assert_eq!(reader.peek_byte(), (0b1001_1011, 8));
        assert_eq!(reader.read_bits(3), Ok(0b100));
        assert_eq!(reader.peek_byte(), (0b1101_1111, 8));
        assert_eq!(reader.read_bits(8), Ok(0b1101_1111));
        assert_eq!(reader.peek_byte(), (0, 5));
        assert_eq!(reader.read_bits(5), Ok(0));
        assert_eq!(reader.peek_byte(), (0, 0));
    }

    #[test]
    fn padding_is_short_and_zero() {
        let after = |bytes: &[u8], count| {
            let mut reader = BitReader::new(bytes);
            reader.read_bits(count).expect("enough bits");
            reader.finish()
        };
        assert_eq!(after(&[0x80], 1), Ok(()));
        assert_eq!(after(&[0x81], 1), Err(BitsError::Trailing));
        assert_eq!(after(&[0x00], 0), Err(BitsError::Trailing));
        assert_eq!(after(&[0x80, 0], 8), Err(BitsError::Trailing));
        assert_eq!(after(&[], 0), Ok(()));
    }

    #[test]
    fn fields_cross_nine_bytes() {
        let bytes: Vec<u8> = (1..=9).collect();
        let mut reader = BitReader::new(&bytes);
        assert_eq!(reader.read_bits(4), Ok(0));
        assert_eq!(reader.read_bits(64), Ok(0x1020_3040_5060_7080));
        assert_eq!(reader.read_bits(4), Ok(9));
        assert_eq!(reader.finish(), Ok(()));
    }

    proptest! {
        #[test]
        fn fields_come_back(
            fields in prop::collection::vec((any::<u64>(), 0u32..=64), 0..50),
        ) {
            let mut writer = BitWriter::new();
            for &(value, count) in &fields {
                writer.push_bits(value, count);
            }
            let bytes = writer.into_bytes();
            let mut reader = BitReader::new(&bytes);
            for &(value, count) in &fields {
                let low_bits = value & u64::MAX.checked_shr(64 - count).unwrap_or(0);
                prop_assert_eq!(reader.read_bits(count), Ok(low_bits));
            }
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }
}

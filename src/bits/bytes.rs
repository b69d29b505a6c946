//! A byte cursor, the integers that it reads, and decimal digits.

use super::BitsError;

/// Appends `value` as LEB128: seven bits a byte, least significant first.
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    loop {
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            out.push(low & 0x7f);
            return;
        }
        out.push(low | 0x80);
    }
}

/// Appends the length of `bytes` as a varint, then `bytes`.
pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Appends the decimal digits of `number`, with leading zeros if it has fewer than `width`,
/// which is at most 20.
pub fn put_decimal(out: &mut Vec<u8>, mut number: u64, width: usize) {
    let mut digits = [b'0'; u64::MAX.ilog10() as usize + 1];
    let mut start = digits.len();
    let least = start.saturating_sub(width.max(1));
    while let Some(place) = start.checked_sub(1).filter(|at| number > 0 || *at >= least)
        && let Some(digit) = digits.get_mut(place)
    {
        let [last, ..] = (number % 10).to_le_bytes();
        *digit += last;
        number /= 10;
        start = place;
    }
    out.extend_from_slice(digits.get(start..).unwrap_or_default());
}

/// A cursor over bytes that never reads past their end.
#[derive(Debug, Clone)]
pub struct ByteReader<'a> {
    rest: &'a [u8],
}

impl<'a> ByteReader<'a> {
    /// A cursor at the first of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        ByteReader { rest: bytes }
    }

    /// The bytes not yet read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether everything has been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes the next `len` bytes.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], BitsError> {
        let (head, tail) = self
            .rest
            .split_at_checked(len)
            .ok_or(BitsError::EndOfInput)?;
        self.rest = tail;
        Ok(head)
    }

    /// Takes the next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], BitsError> {
        let (head, tail) = self
            .rest
            .split_first_chunk::<N>()
            .ok_or(BitsError::EndOfInput)?;
        self.rest = tail;
        Ok(*head)
    }

    /// Reads one byte.
    pub fn u8(&mut self) -> Result<u8, BitsError> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Reads two bytes, little-endian.
    pub fn u16(&mut self) -> Result<u16, BitsError> {
        self.array().map(u16::from_le_bytes)
    }

    /// Reads four bytes, little-endian.
    pub fn u32(&mut self) -> Result<u32, BitsError> {
        self.array().map(u32::from_le_bytes)
    }

    /// Reads eight bytes, little-endian.
    pub fn u64(&mut self) -> Result<u64, BitsError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a LEB128 integer in its shortest form.
    pub fn varint(&mut self) -> Result<u64, BitsError> {
        let mut value = 0u64;
        let mut shift = 0u32;
        loop {
            let byte = self.u8()?;
            let group = u64::from(byte & 0x7f);
            let lost = shift >= 64 || (group << shift) >> shift != group;
            if lost || (byte == 0 && shift > 0) {
                return Err(BitsError::Varint);
            }
            value |= group << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            shift += 7;
        }
    }

    /// Reads a varint that is a count or a size in memory.
    pub fn length(&mut self) -> Result<usize, BitsError> {
        usize::try_from(self.varint()?).map_err(|_| BitsError::EndOfInput)
    }

    /// Reads a varint length and that many bytes.
    pub fn bytes(&mut self) -> Result<&'a [u8], BitsError> {
        let len = self.length()?;
        self.take(len)
    }

    /// Checks that no bytes are left.
    pub fn finish(self) -> Result<(), BitsError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(BitsError::Trailing)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_come_back() {
        for value in [
            0,
            1,
            127,
            128,
            16_383,
            16_384,
            u64::from(u32::MAX),
            u64::MAX,
        ] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            let mut reader = ByteReader::new(&out);
            assert_eq!(reader.varint(), Ok(value));
            assert_eq!(reader.finish(), Ok(()));
        }
    }

    #[test]
    fn decimals_have_their_digits_and_leading_zeros() {
        for number in [0, 7, 10, 99, 100, 90_210, u64::MAX] {
            for width in [0, 1, 2, 5, 20, 21] {
                let mut out = b"is ".to_vec();
                put_decimal(&mut out, number, width);
                let width = width.min(20);
                assert_eq!(out, format!("is {number:0width$}").into_bytes());
            }
        }
    }

    #[test]
    fn long_and_large_varints_are_refused() {
        assert_eq!(
            ByteReader::new(&[0x80, 0x00]).varint(),
            Err(BitsError::Varint)
        );
        assert_eq!(
            ByteReader::new(&[0xff; 10]).varint(),
            Err(BitsError::Varint)
        );
        assert_eq!(
            ByteReader::new(&[0x80]).varint(),
            Err(BitsError::EndOfInput)
        );
    }

    #[test]
    fn reading_past_the_end_is_an_error() {
        let mut reader = ByteReader::new(&[1, 2, 3]);
        assert_eq!(reader.u16(), Ok(0x0201));
        assert_eq!(reader.u32(), Err(BitsError::EndOfInput));
        assert_eq!(reader.finish(), Err(BitsError::Trailing));
    }
}

//! The encoder.

use super::Share;
use super::interval::Interval;

/// Writes symbols, each by its share.
#[derive(Debug, Clone)]
pub struct Encoder {
    interval: Interval,
    out: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// An encoder before its first symbol.
    pub fn new() -> Self {
        Encoder {
            interval: Interval::initial(),
            out: Vec::new(),
        }
    }

    /// Writes the symbol of this share. It costs log2(total / size) bits plus
    /// at most −log2(1 − total / 2^32) bits.
    pub fn encode(&mut self, share: Share) {
        let (_, carry) = self.interval.narrow(share);
        if carry {
            carry_into(&mut self.out);
        }
        if let Some(settled) = self.interval.shift_settled() {
            self.out.extend_from_slice(&settled);
        }
    }

    /// The encoded bytes: less than 8 bits more than the cost of the symbols.
    pub fn finish(mut self) -> Vec<u8> {
        let end = self.interval.end();
        if end.carry {
            carry_into(&mut self.out);
        }
        self.out.extend(end.window.iter().take(end.bytes));
        // The decoder reads zeros after the end.
        while self.out.pop_if(|last| *last == 0).is_some() {}
        self.out
    }
}

/// Adds 1 to the last digit. The carry never leaves the first digit, because
/// every interval is within the initial one.
fn carry_into(digits: &mut [u8]) {
    for digit in digits.iter_mut().rev() {
        *digit = digit.wrapping_add(1);
        if *digit != 0 {
            return;
        }
    }
}

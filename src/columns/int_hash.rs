//! Hashing of integers, for maps that are asked millions of times.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

/// A random multiplier for each process, so that nobody can craft a file whose
/// integers all collide. No result depends on it.
pub(super) static MULTIPLIER: LazyLock<u64> =
    LazyLock::new(|| RandomState::new().hash_one(0u8) | 1);

/// A map with integers for keys.
pub(super) type IntMap<K, V> = HashMap<K, V, IntHashing>;

/// Makes the hashers of an [`IntMap`].
#[derive(Debug, Clone)]
pub(super) struct IntHashing {
    multiplier: u64,
}

impl Default for IntHashing {
    fn default() -> IntHashing {
        IntHashing {
            multiplier: *MULTIPLIER,
        }
    }
}

impl BuildHasher for IntHashing {
    type Hasher = IntHasher;

    fn build_hasher(&self) -> IntHasher {
        IntHasher {
            multiplier: self.multiplier,
            hash: 0,
        }
    }
}

/// Hashes an integer by a multiplication.
#[derive(Debug)]
pub(super) struct IntHasher {
    multiplier: u64,
    hash: u64,
}

impl Hasher for IntHasher {
    fn finish(&self) -> u64 {
        self.hash
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.hash ^ number) * u128::from(self.multiplier);
        // Its low half depends on the low bits of the number alone, its high half on all bits.
        let [low, high] = [product & u128::from(u64::MAX), product >> 64];
        self.hash = u64::try_from(low ^ high).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn hashes_depend_on_all_bits() {
        for shift in [0, 16, 44, 54] {
            let hashes = (0..1024u64).map(|n| IntHashing::default().hash_one(n << shift));
            let low: HashSet<u64> = hashes.map(|hash| hash & 0xffff).collect();
            assert!(low.len() > 900, "{shift}: {}", low.len());
        }
    }
}

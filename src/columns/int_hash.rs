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
        let mixed = (self.hash ^ number).wrapping_mul(self.multiplier);
        // A map uses the lowest bits too, and those of a product depend on few bits.
        self.hash = mixed ^ mixed >> 32;
    }
}

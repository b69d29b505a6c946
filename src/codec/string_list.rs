//! Many byte strings in one allocation.

/// A list of byte strings, stored end to end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StringList {
    bytes: Vec<u8>,
    /// The end of each string; each starts at the end of the previous one.
    ends: Vec<usize>,
}

impl StringList {
    /// An empty list with capacity for `count` strings.
    pub fn with_capacity(count: usize) -> Self {
        StringList {
            bytes: Vec::new(),
            ends: Vec::with_capacity(count),
        }
    }

    /// Splits `bytes` into strings of these lengths. Returns `None` if the lengths
    /// do not add up to the size of `bytes`.
    pub fn split(bytes: Vec<u8>, lengths: impl IntoIterator<Item = usize>) -> Option<Self> {
        let ends = lengths.into_iter().scan(0usize, |end, length| {
            *end = end.saturating_add(length);
            Some(*end)
        });
        let ends: Vec<usize> = ends.collect();
        let is_complete = ends.last().copied().unwrap_or(0) == bytes.len();
        is_complete.then_some(StringList { bytes, ends })
    }

    /// Appends a string.
    pub fn push(&mut self, string: &[u8]) {
        self.bytes.extend_from_slice(string);
        self.ends.push(self.bytes.len());
    }

    /// The number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no string.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The total size of the strings, in bytes.
    pub fn total_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The string at `index`, counted from 0.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = match index.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.bytes.get(start..end)
    }

    /// The strings in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back_in_order() {
        let mut strings = StringList::with_capacity(3);
        for string in [&b"a"[..], b"", b"bc"] {
            strings.push(string);
        }
        assert_eq!(strings.iter().collect::<Vec<_>>(), [&b"a"[..], b"", b"bc"]);
        assert_eq!((strings.len(), strings.total_bytes()), (3, 3));
        assert_eq!(strings.get(2), Some(&b"bc"[..]));
        assert_eq!(strings.get(3), None);
        assert_eq!(StringList::split(b"abc".to_vec(), [1, 0, 2]), Some(strings));
        for lengths in [&[1, 1][..], &[1, 3], &[usize::MAX, 4]] {
            let lengths = lengths.iter().copied();
            assert_eq!(StringList::split(b"abc".to_vec(), lengths), None);
        }
    }
}

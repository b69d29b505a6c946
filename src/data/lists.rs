//! Lists of values, one list after the other in one vector.

/// One list for each game: the values of all lists in one vector, and where each list ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lists<T> {
    ends: Vec<usize>,
    values: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists {
            ends: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl<T> Lists<T> {
    /// The number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The list with this index; `None` after the last.
    pub fn get(&self, index: usize) -> Option<&[T]> {
        let end = *self.ends.get(index)?;
        let before = index.checked_sub(1);
        let start = before.and_then(|before| self.ends.get(before)).copied();
        self.values.get(start.unwrap_or(0)..end)
    }

    /// The lists, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The values of all lists.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// For each list the number of values up to its end.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// The values of all lists, without a copy.
    pub fn into_values(self) -> Vec<T> {
        self.values
    }

    /// Appends a value to the list that is not ended yet.
    pub(super) fn push(&mut self, value: T) {
        self.values.push(value);
    }

    /// The values, to which those of the list that is not ended yet can be appended.
    pub(super) fn values_mut(&mut self) -> &mut Vec<T> {
        &mut self.values
    }

    /// Ends a list: the values that were appended since the last end.
    pub(super) fn end(&mut self) {
        self.ends.push(self.values.len());
    }
}

impl<T: Clone> Lists<T> {
    /// Appends a list.
    pub(super) fn push_list(&mut self, list: &[T]) {
        self.values.extend_from_slice(list);
        self.end();
    }
}

/// A list of texts for each game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextLists {
    ends: Vec<usize>,
    texts: Lists<u8>,
}

impl TextLists {
    /// The number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The texts of the list with this index; none after the last list.
    pub fn get(&self, index: usize) -> impl Iterator<Item = &[u8]> {
        let end = self.ends.get(index).copied();
        let before = index
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        let start = end.map_or(0, |_| before.copied().unwrap_or(0));
        (start..end.unwrap_or(0)).filter_map(|text| self.texts.get(text))
    }

    /// The texts of all lists.
    pub fn texts(&self) -> &Lists<u8> {
        &self.texts
    }

    /// For each list the number of texts up to its end.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// The texts of all lists, without a copy.
    pub fn into_texts(self) -> Lists<u8> {
        self.texts
    }

    /// Appends a text, which `write` appends to the bytes, to the list that is not ended yet.
    pub(super) fn push_with<E>(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        write(self.texts.values_mut())?;
        self.texts.end();
        Ok(())
    }

    /// Appends a text to the list that is not ended yet.
    pub(super) fn push_text(&mut self, text: &[u8]) {
        self.texts.push_list(text);
    }

    /// Ends a list.
    pub(super) fn end(&mut self) {
        self.ends.push(self.texts.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back() {
        let mut lists = Lists::default();
        for list in [&[1, 2][..], &[], &[3]] {
            lists.push_list(list);
        }
        assert_eq!(lists.iter().collect::<Vec<_>>(), [&[1, 2][..], &[], &[3]]);
        assert_eq!(lists.ends(), [2, 2, 3]);
        assert_eq!(lists.get(3), None);
    }

    #[test]
    fn lists_of_texts_come_back() {
        let mut lists = TextLists::default();
        for list in [&["a", ""][..], &[], &["bc"]] {
            for text in list {
                let write = |out: &mut Vec<u8>| {
                    out.extend_from_slice(text.as_bytes());
                    Ok::<_, ()>(())
                };
                lists.push_with(write).unwrap();
            }
            lists.end();
        }
        let texts = |index| lists.get(index).collect::<Vec<_>>();
        assert_eq!(texts(0), [&b"a"[..], b""]);
        assert_eq!((texts(1), texts(3)), (vec![], vec![]));
        assert_eq!(texts(2), [b"bc"]);
        assert_eq!((lists.len(), lists.is_empty()), (3, false));
    }
}

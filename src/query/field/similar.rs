//! The fields that may have been meant by a misspelt name.

use super::Field;
use crate::archive::{Archive, Error};
use crate::text::nearest;

impl Archive {
    /// The tag of a game, or the field of [`Field::all`], whose name is like a misspelt one.
    ///
    /// # Errors
    /// A segment is damaged.
    pub(crate) fn similar_field(&self, misspelt: &str) -> Result<Option<String>, Error> {
        let tags = self.tag_names()?;
        let fields = Field::all().map(|(name, _)| name);
        let names = tags.iter().map(String::as_str).chain(fields);
        Ok(nearest(misspelt, names).map(str::to_owned))
    }
}

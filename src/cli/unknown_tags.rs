//! Reports tags that no game has, a likely reason for an empty result.

use super::common::Common;
use super::errors::print_message;
use crate::{Archive, Field};

/// Reports the fields among these whose tags no game has. Where a field is read from several tags,
/// one of them suffices.
pub(crate) fn report_unknown_tags<'f>(
    archive: &Archive,
    fields: impl IntoIterator<Item = &'f Field>,
    common: &Common,
) {
    for field in fields {
        if !common.quiet && is_unknown(archive, field) {
            print_message(&format!("no game has a tag {}", field.tags().join(" or ")));
        }
    }
}

/// Whether no game has any of the tags from which a field is read.
pub(crate) fn is_unknown(archive: &Archive, field: &Field) -> bool {
    let tags = field.tags();
    let is_absent = |name: &&str| matches!(archive.has_tag(name), Ok(false));
    !tags.is_empty() && tags.iter().all(is_absent)
}

//! What is compared: the codecs, `model` once with each built-in model.

use crate::internals::moves::SegmentModel;
use crate::{BuiltinModel, Codec, MoveModel};

/// A codec, and the model if it needs one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Method {
    pub(super) codec: Codec,
    pub(super) model: Option<BuiltinModel>,
}

impl Method {
    /// All methods, by codec and level.
    pub(super) fn all() -> Vec<Method> {
        let of_codec = |codec| match codec {
            Codec::Model => BuiltinModel::ALL.map(Some).to_vec(),
            _ => vec![None],
        };
        let all = Codec::ALL.into_iter();
        all.flat_map(|codec| {
            of_codec(codec)
                .into_iter()
                .map(move |model| Method { codec, model })
        })
        .collect()
    }

    /// The model in the form in which a segment has it.
    pub(super) fn segment_model(self) -> SegmentModel {
        let model = self.model.map(|model| MoveModel::from(model).into());
        model.unwrap_or_default()
    }

    /// The form of the codec, or the level of the model; empty if there is only one.
    pub(super) fn form(self) -> &'static str {
        self.model.map_or(self.codec.form(), BuiltinModel::level)
    }

    /// The name and, if there are several forms, the form.
    pub(super) fn title(self) -> String {
        match self.form() {
            "" => self.codec.name().to_owned(),
            form => format!("{}, {form}", self.codec.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn titles_distinguish_the_methods() {
        let all = Method::all();
        let titles: HashSet<String> = all.iter().map(|method| method.title()).collect();
        assert_eq!(titles.len(), all.len());
    }
}

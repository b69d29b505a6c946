//! The codecs that `--codec` and `--level` select.

use crate::{BuiltinModel, Codec};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The choice of a codec for each game.
pub(super) const AUTO: &str = "auto";

/// Accepts the names of the codecs, and `auto`.
pub(super) fn codec_parser() -> PossibleValuesParser {
    let help = "The model of the level; for games that it cannot represent, or hardly \
                makes smaller, the smallest of all";
    let mut values = vec![PossibleValue::new(AUTO).help(help)];
    let mut schemes = Codec::ALL.to_vec();
    schemes.dedup_by_key(|codec| codec.name());
    values.extend(
        schemes
            .into_iter()
            .map(|codec| PossibleValue::new(codec.name()).help(codec.description())),
    );
    PossibleValuesParser::new(values)
}

/// Accepts the names of the levels.
pub(super) fn level_parser() -> impl TypedValueParser<Value = BuiltinModel> {
    let levels = BuiltinModel::ALL.map(BuiltinModel::level);
    PossibleValuesParser::new(levels).try_map(|name| {
        let mut all = BuiltinModel::ALL.into_iter();
        all.find(|model| model.level() == name)
            .ok_or("no such level")
    })
}

/// The codecs that may encode the moves, or why the choice is invalid.
pub(super) fn codecs(codec: &str, level: Option<BuiltinModel>) -> Result<Vec<Codec>, String> {
    let mut codecs = Codec::ALL.to_vec();
    if codec == AUTO {
        return Ok(codecs);
    }
    codecs.retain(|candidate| candidate.name() == codec);
    match level {
        Some(level) if !codecs.contains(&Codec::Model) => Err(format!(
            "the codec {codec} has no levels: --level {} is for --codec auto or model",
            level.level()
        )),
        _ => Ok(codecs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_for_the_model() {
        for model in BuiltinModel::ALL {
            assert_eq!(codecs(AUTO, Some(model)), Ok(Codec::ALL.to_vec()));
            assert_eq!(codecs("model", Some(model)), Ok(vec![Codec::Model]));
        }
        assert_eq!(codecs(AUTO, None), Ok(Codec::ALL.to_vec()));
        let refusal = codecs("radix", Some(BuiltinModel::Max)).unwrap_err();
        assert!(
            refusal.starts_with("the codec radix has no levels"),
            "{refusal}"
        );
        assert_eq!(codecs("radix", None), Ok(vec![Codec::Radix]));
    }
}

//! The limits on reading, from the arguments.

use super::sizes::size;
use crate::Limits;
use clap::Args as ClapArgs;

/// The limits on reading an archive.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct LimitArgs {
    /// Change a limit on what an archive may take to read
    ///
    /// Data beyond a limit is not read, and the exit status is 6 (3 or 4 from recover,
    /// as for all that it loses). The limits and their defaults: block=32M, the text of
    /// a block; tables=96M, the tables of a segment; index=128M, the directory or an
    /// index; plies=1M, the plies of a line, of which no archive has more;
    /// expansion=4096, the ratio of unpacked to packed size; cache=128M, the tags that
    /// filters cache to be faster the next time. What this program packs stays within
    /// the defaults.
    #[arg(long = "allow", value_name = "NAME=SIZE", value_parser = setting)]
    settings: Vec<LimitSetting>,
}

impl LimitArgs {
    /// The default limits with the changed settings.
    pub(crate) fn limits(&self) -> Limits {
        limits(&self.settings)
    }
}

/// Selects a field of the limits.
type LimitField = fn(&mut Limits) -> &mut u64;

const LIMIT_FIELDS: [(&str, LimitField); 6] = [
    ("block", |limits| &mut limits.block_raw_bytes),
    ("tables", |limits| &mut limits.tables_bytes),
    ("index", |limits| &mut limits.index_bytes),
    ("plies", |limits| &mut limits.plies),
    ("expansion", |limits| &mut limits.expansion),
    ("cache", |limits| &mut limits.tag_cache_bytes),
];

/// A limit and its value.
#[derive(Debug, Clone, Copy)]
struct LimitSetting(LimitField, u64);

fn setting(text: &str) -> Result<LimitSetting, String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=SIZE")?;
    let place = LIMIT_FIELDS.iter().find(|(known, _)| *known == name);
    let names = LIMIT_FIELDS.map(|(name, _)| name).join(", ");
    let (_, place) = place.ok_or(format!("no limit {name:?}; there are {names}"))?;
    let value = match value {
        "0" => 0,
        value => size(value)?,
    };
    Ok(LimitSetting(*place, value))
}

fn limits(settings: &[LimitSetting]) -> Limits {
    let mut limits = Limits::default();
    for LimitSetting(place, value) in settings {
        *place(&mut limits) = *value;
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_set_by_their_names() {
        let settings = ["block=1M", "plies=200", "cache=0"].map(|text| setting(text).unwrap());
        let set = limits(&settings);
        let changed = Limits {
            block_raw_bytes: 1 << 20,
            plies: 200,
            tag_cache_bytes: 0,
            ..Limits::default()
        };
        assert_eq!(set, changed);
        for text in ["", "block", "block=", "blocks=1M", "=1M", "block=-1"] {
            assert!(setting(text).is_err(), "{text}");
        }
    }
}

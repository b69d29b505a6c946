//! What reading may take, from the arguments.

use clap::Args as ClapArgs;
use pgna::limits::Limits;

/// What an archive may take to be read.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct LimitArgs {
    /// Let an archive take more than it may by itself, or less
    ///
    /// What would be beyond a limit is not read, and the exit status is 6. The limits,
    /// as they are by themselves: block=64M, the text of a block; tables=256M, the
    /// tables of a segment; index=256M, the directory or an index; plies=1M, the plies
    /// of a line; expansion=4096, how many times its packed size something may have;
    /// kept=128M, what filters keep of tags to be faster the next time. Whatever this
    /// program packs stays within them.
    #[arg(long = "allow", value_name = "NAME=SIZE", value_parser = setting)]
    settings: Vec<Setting>,
}

impl LimitArgs {
    /// The limits with those set that are named.
    pub(crate) fn limits(&self) -> Limits {
        limits(&self.settings)
    }
}

/// Gives a limit its place.
type Place = fn(&mut Limits) -> &mut u64;

const PLACES: [(&str, Place); 6] = [
    ("block", |limits| &mut limits.block_raw_bytes),
    ("tables", |limits| &mut limits.tables_bytes),
    ("index", |limits| &mut limits.index_bytes),
    ("plies", |limits| &mut limits.plies),
    ("expansion", |limits| &mut limits.expansion),
    ("kept", |limits| &mut limits.kept_cells_bytes),
];

/// A limit, and what it is to be.
#[derive(Debug, Clone, Copy)]
struct Setting(Place, u64);

fn setting(text: &str) -> Result<Setting, String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=SIZE")?;
    let place = PLACES.iter().find(|(known, _)| *known == name);
    let names = PLACES.map(|(name, _)| name).join(", ");
    let (_, place) = place.ok_or(format!("no limit {name:?}; there are {names}"))?;
    Ok(Setting(*place, size(value)?))
}

fn limits(settings: &[Setting]) -> Limits {
    let mut limits = Limits::default();
    for Setting(place, value) in settings {
        *place(&mut limits) = *value;
    }
    limits
}

/// Reads a size: a number, and a unit.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is no size: write 500k, 10M or 1G");
    let digits = text.trim_end_matches(|char: char| !char.is_ascii_digit());
    let unit = text.get(digits.len()..).unwrap_or_default();
    let unit = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let bytes = number.checked_mul(unit).filter(|bytes| *bytes > 0);
    bytes.ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in [
            ("7", 7),
            ("500k", 512_000),
            ("2M", 2 << 20),
            ("1GiB", 1 << 30),
        ] {
            assert_eq!(size(text), Ok(bytes));
        }
        for text in ["", "0", "M", "-1", "1x", "1.5M", "99999999999G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn limits_are_set_by_their_names() {
        let settings = ["block=1M", "plies=200"].map(|text| setting(text).unwrap());
        let set = limits(&settings);
        let changed = Limits {
            block_raw_bytes: 1 << 20,
            plies: 200,
            ..Limits::default()
        };
        assert_eq!(set, changed);
        for text in ["", "block", "block=", "blocks=1M", "=1M", "block=-1"] {
            assert!(setting(text).is_err(), "{text}");
        }
    }
}

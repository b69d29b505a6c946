//! The worked examples of the specification: lines "`name`: bytes", the bytes in hexadecimal, in
//! groups of four.

/// The bytes of an example of a document.
pub(crate) fn shown(spec: &str, name: &str) -> Vec<u8> {
    let marker = format!("`{name}`: ");
    let line = spec.lines().find_map(|line| line.strip_prefix(&marker));
    let digits = line.unwrap_or_else(|| panic!("no line {marker}"));
    let digits: Vec<char> = digits.chars().filter(|digit| *digit != ' ').collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16);
    let bytes: Result<Vec<u8>, _> = digits.chunks(2).map(byte).collect();
    bytes.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The line of an example, if a document does not have it.
pub(crate) fn missing(spec: &str, name: &str, bytes: &[u8]) -> Option<String> {
    let group = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let groups: Vec<String> = bytes.chunks(4).map(group).collect();
    let line = format!("`{name}`: {}", groups.join(" "));
    let is_shown = spec
        .lines()
        .any(|shown| shown.trim_end() == line.trim_end());
    (!is_shown).then_some(line)
}

/// Checks that a document has these bytes as an example.
pub(crate) fn assert_shown(spec: &str, name: &str, bytes: &[u8]) {
    assert_eq!(
        missing(spec, name, bytes),
        None,
        "the document lacks the line"
    );
}

//! `CONTRIBUTING.md` agrees with the tree.

/// Every path of the repository that the guide for contributors names exists.
#[test]
fn paths_in_the_guide_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = include_str!("../../CONTRIBUTING.md");
    let quoted = guide.split('`').skip(1).step_by(2);
    let paths = quoted.filter(|path| {
        let is_path = ["src/", "spec/", "tests/"]
            .iter()
            .any(|start| path.starts_with(start));
        is_path && !path.contains("NAME")
    });
    let missing: Vec<&str> = paths.filter(|path| !root.join(path).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

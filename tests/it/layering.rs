//! The layers of the crate: allowed imports between modules, which modules may use shakmaty and
//! rayon, where `unsafe` is allowed, and the maximum length of a file.

mod hidden;
mod outside;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules from the lowest to the highest, each with the modules it may import besides itself
/// and [`BY_ALL`].
const LAYERS: [(&str, &[&str]); 26] = [
    ("limits", &[]),
    ("parallel", &[]),
    ("testing", &[]),
    ("bits", &[]),
    ("codec", &["bits"]),
    ("columns", &["bits", "codec"]),
    ("text", &[]),
    ("chess", &[]),
    ("pgn", &["bits", "chess"]),
    ("model", &["bits", "codec", "chess"]),
    ("train", &["codec", "chess", "model"]),
    ("moves", &["bits", "codec", "chess", "model"]),
    ("annotation", &["bits", "codec", "chess", "pgn", "model"]),
    ("position", &["bits", "codec", "chess", "moves"]),
    ("xiangqi", &["bits", "codec"]),
    ("container", &["bits"]),
    ("remote", &["container"]),
    ("index", &["bits", "codec", "chess", "container"]),
    (
        "archive",
        &[
            "bits",
            "codec",
            "columns",
            "text",
            "chess",
            "pgn",
            "model",
            "moves",
            "annotation",
            "position",
            "container",
            "remote",
            "index",
        ],
    ),
    ("query", &["text", "chess", "pgn", "index", "archive"]),
    ("data", &["chess", "columns", "pgn", "archive", "query"]),
    ("arrow", &["text", "archive", "query", "data"]),
    ("draw", &["text", "chess", "pgn", "query"]),
    ("answers", &["text", "chess", "pgn", "query", "draw"]),
    ("serve", &["answers"]),
    // The program uses the public API; see `WORKBENCH`.
    ("cli", &["draw", "serve"]),
];

/// The parts of the program that show codecs at work and the columns of an archive. They alone use
/// modules of the crate beside its public API.
const WORKBENCH: [&str; 8] = [
    "cli/bit_text.rs",
    "cli/compare/",
    "cli/games.rs",
    "cli/info/",
    "cli/line.rs",
    "cli/position/",
    "cli/train.rs",
    "cli/xiangqi/",
];

/// The modules that the workbench uses.
const WORKBENCH_MODULES: [&str; 9] = [
    "archive", "bits", "chess", "model", "moves", "pgn", "position", "train", "xiangqi",
];

/// Modules that every module but the program may import.
const BY_ALL: [&str; 3] = ["limits", "parallel", "testing"];

/// Modules that use the public API of the crate.
const API_USERS: [&str; 4] = ["answers", "cli", "serve", "train"];

/// Functions of the public API that these modules may import.
const PUBLIC_FUNCTIONS: [&str; 3] = ["safe_name", "unsafe_name", "without_secrets"];

/// External crates, each with the only modules or files that may use it.
const CRATES: [(&str, &[&str]); 21] = [
    ("arrow_array", &["arrow", "cli/export/"]),
    ("arrow_csv", &["cli/export/"]),
    ("arrow_ipc", &["cli/export/"]),
    ("arrow_json", &["cli/export/"]),
    ("arrow_schema", &["arrow", "cli/export/"]),
    ("arrow_select", &["cli/export/"]),
    ("async_trait", &["remote"]),
    ("axum", &["serve"]),
    ("form_urlencoded", &["answers"]),
    ("hyper", &["serve"]),
    ("hyper_util", &["serve"]),
    ("object_store", &["remote"]),
    ("parquet", &["cli/export/"]),
    ("percent_encoding", &["answers"]),
    ("quick_cache", &["answers"]),
    ("rust_embed", &["serve"]),
    ("tokio", &["remote", "serve"]),
    ("tower_http", &["serve"]),
    ("ureq", &["remote"]),
    ("shakmaty", &["chess"]),
    ("rayon", &["parallel", "cli/common.rs"]),
];

/// Files that may contain `unsafe`.
const UNSAFE: [&str; 2] = ["archive/fs/mmap.rs", "model/simd.rs"];

const LONGEST_FILE_LINES: usize = 500;

// ---------------------------------------------------------------- tokens ---

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    /// `::`
    Path,
    Open,
    Close,
    Comma,
    Other,
}

/// Tokenizes Rust source, dropping comments and the content of literals.
fn tokens(source: &str) -> Vec<Token> {
    let mut out = Vec::new();
    flatten(source.parse().unwrap(), &mut out);
    out
}

fn flatten(stream: TokenStream, out: &mut Vec<Token>) {
    for tree in stream {
        match tree {
            TokenTree::Ident(word) => out.push(Token::Word(word.to_string())),
            TokenTree::Literal(_) => out.push(Token::Other),
            TokenTree::Punct(punct) => match (punct.as_char(), punct.spacing()) {
                (':', Spacing::Joint) => out.push(Token::Path),
                (':', Spacing::Alone) if out.last() == Some(&Token::Path) => {}
                (',', _) => out.push(Token::Comma),
                _ => out.push(Token::Other),
            },
            TokenTree::Group(group) => {
                let is_block = group.delimiter() == Delimiter::Brace;
                out.push(if is_block { Token::Open } else { Token::Other });
                flatten(group.stream(), out);
                out.push(if is_block { Token::Close } else { Token::Other });
            }
        }
    }
}

fn word(token: Option<&Token>) -> Option<&str> {
    match token? {
        Token::Word(word) => Some(word),
        _ => None,
    }
}

// ----------------------------------------------------------------- paths ---

/// The top-level modules and public names that a file refers to by `crate::`, `pgna::`,
/// `pgna::internals::` or enough `super::`. `depth` is the number of modules between the root and
/// the file.
fn named_modules(tokens: &[Token], depth: usize) -> Vec<String> {
    let mut out = Vec::new();
    let mut inline = InlineModules::default();
    let mut at = 0;
    while at < tokens.len() {
        inline.see(tokens, at);
        let root = match word(tokens.get(at)) {
            Some("crate" | "pgna") => path_after(tokens, at),
            Some("super") => above(tokens, at, depth + inline.open.len()),
            _ => None,
        };
        if let Some(mut next) = root {
            if word(tokens.get(next)) == Some("internals") {
                next = path_after(tokens, next).unwrap_or(next);
            }
            out.extend(first_names(&tokens[next..]));
        }
        at += 1;
    }
    out
}

/// The `mod name { … }` blocks that enclose a token.
#[derive(Default)]
struct InlineModules {
    braces: usize,
    open: Vec<usize>,
}

impl InlineModules {
    fn see(&mut self, tokens: &[Token], at: usize) {
        match tokens[at] {
            Token::Open => {
                let is_module = word(tokens.get(at.wrapping_sub(2))) == Some("mod");
                if is_module && word(tokens.get(at.wrapping_sub(1))).is_some() {
                    self.open.push(self.braces);
                }
                self.braces += 1;
            }
            Token::Close => {
                self.braces = self.braces.saturating_sub(1);
                self.open.retain(|braces| *braces < self.braces);
            }
            _ => {}
        }
    }
}

/// The index of the next path segment after the word at `at`.
fn path_after(tokens: &[Token], at: usize) -> Option<usize> {
    (tokens.get(at + 1) == Some(&Token::Path)).then_some(at + 2)
}

/// The index of the path segment after `super::super::…` if that path reaches the root.
fn above(tokens: &[Token], mut at: usize, depth: usize) -> Option<usize> {
    let inside_path = at > 0 && tokens[at - 1] == Token::Path;
    let mut levels = 0;
    while word(tokens.get(at)) == Some("super") {
        levels += 1;
        at = path_after(tokens, at)?;
    }
    (levels == depth && !inside_path).then_some(at)
}

/// `bits` for `bits::Reader`; `a` and `b` for `{a::X, b::{Y, Z}}`.
fn first_names(tokens: &[Token]) -> Vec<String> {
    match tokens.first() {
        Some(Token::Word(name)) => vec![name.clone()],
        Some(Token::Open) => group_names(&tokens[1..]),
        _ => vec!["*".to_owned()],
    }
}

fn group_names(tokens: &[Token]) -> Vec<String> {
    let (mut names, mut depth, mut fresh) = (Vec::new(), 0_usize, true);
    for token in tokens {
        match token {
            Token::Open => depth += 1,
            Token::Close if depth == 0 => return names,
            Token::Close => depth -= 1,
            Token::Comma if depth == 0 => fresh = true,
            Token::Word(name) if fresh => {
                names.push(name.clone());
                fresh = false;
            }
            _ => {}
        }
    }
    names
}

// ----------------------------------------------------------------- rules ---

/// The violations in a file. `path` is relative to `src`, with `/`.
fn violations(path: &str, source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let module = module_of(path);
    let mut out = wrong_imports(path, module, &tokens);
    let has = |name: &str| tokens.contains(&Token::Word(name.to_owned()));
    for (name, by) in CRATES.iter().filter(|(name, _)| has(name)) {
        let is_folder_of_it = |by: &&str| by.ends_with('/') && path.starts_with(by);
        if !by.contains(&module) && !by.contains(&path) && !by.iter().any(is_folder_of_it) {
            out.push(format!("{path}: only {by:?} names {name}"));
        }
    }
    if has("unsafe") && !UNSAFE.contains(&path) {
        out.push(format!("{path}: unsafe is allowed only in {UNSAFE:?}"));
    }
    if tokens.windows(3).any(usize_bytes) {
        out.push(format!(
            "{path}: the width of usize must not reach the format"
        ));
    }
    let lines = source.lines().count();
    if lines > LONGEST_FILE_LINES {
        out.push(format!(
            "{path}: {lines} lines, more than {LONGEST_FILE_LINES}"
        ));
    }
    out
}

fn usize_bytes(three: &[Token]) -> bool {
    let [Token::Word(integer), Token::Path, Token::Word(name)] = three else {
        return false;
    };
    ["usize", "isize"].contains(&integer.as_str())
        && ["to_le_bytes", "to_be_bytes", "to_ne_bytes"].contains(&name.as_str())
}

/// `archive` for `archive/reader.rs` and for `archive.rs`.
fn module_of(path: &str) -> &str {
    let first = path.split('/').next().unwrap();
    first.strip_suffix(".rs").unwrap_or(first)
}

/// The depth of a file's module below the root.
fn depth_of(path: &str) -> usize {
    let parts = path.split('/').count();
    let itself = ["lib.rs", "main.rs"].contains(&path) || path.ends_with("/mod.rs");
    parts - usize::from(itself)
}

fn wrong_imports(path: &str, module: &str, tokens: &[Token]) -> Vec<String> {
    let allowed = match module {
        // The root may import all modules; the program imports only `cli`.
        "lib" | "internals" => return Vec::new(),
        "main" => &["cli"][..],
        // A module of the public API.
        "cli" if path.starts_with("cli/export/") => &["arrow"],
        "cli" if WORKBENCH.iter().any(|part| path.starts_with(part)) => &WORKBENCH_MODULES,
        _ => match LAYERS.iter().find(|(name, _)| *name == module) {
            Some((_, allowed)) => allowed,
            None => return vec![format!("{path}: {module} has no place in the layers")],
        },
    };
    let names = named_modules(tokens, depth_of(path)).into_iter();
    let is_public = |n: &str| {
        let is_name = n.starts_with(char::is_uppercase) || PUBLIC_FUNCTIONS.contains(&n);
        API_USERS.contains(&module) && is_name
    };
    let by_all = |n: &str| module != "cli" && BY_ALL.contains(&n);
    let is_allowed = |n: &str| n == module || by_all(n) || allowed.contains(&n) || is_public(n);
    names
        .filter(|name| !is_allowed(name))
        .map(|name| format!("{path}: {module} may not name {name}"))
        .collect()
}

// ----------------------------------------------------------------- tests ---

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The sources in a folder of the crate, with paths relative to `root`, with `/`.
fn sources(folder: &str, root: &str) -> Vec<(String, String)> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (folder, root) = (package.join(folder), package.join(root));
    let mut files = Vec::new();
    rust_files(&folder, &mut files);
    assert!(files.len() > 3, "no sources at {}", folder.display());
    let source = |file: PathBuf| {
        let path = file.strip_prefix(&root).unwrap().to_str().unwrap();
        (path.replace('\\', "/"), fs::read_to_string(&file).unwrap())
    };
    files.into_iter().map(source).collect()
}

#[test]
fn sources_follow_the_rules() {
    let sources = sources("src", "src").into_iter();
    let all: Vec<String> = sources
        .flat_map(|(path, source)| violations(&path, &source))
        .collect();
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn layers_import_only_lower_layers() {
    for (at, (module, allowed)) in LAYERS.iter().enumerate() {
        let lower: Vec<&str> = LAYERS[..at].iter().map(|(name, _)| *name).collect();
        for name in *allowed {
            assert!(lower.contains(name), "{module} names {name}");
        }
    }
}

#[test]
fn every_layer_and_permission_is_used() {
    let sources = sources("src", "src");
    for (layer, allowed) in LAYERS {
        let files = sources.iter().filter(|(path, _)| module_of(path) == layer);
        let named: Vec<Vec<String>> = files
            .map(|(path, source)| named_modules(&tokens(source), depth_of(path)))
            .collect();
        assert!(!named.is_empty(), "{layer}: no file");
        let named = named.concat();
        for name in allowed {
            assert!(
                named.iter().any(|other| other == name),
                "{layer}: {name} is not used"
            );
        }
    }
}

#[test]
fn clippy_bans_usize_bytes_too() {
    let settings = Path::new(env!("CARGO_MANIFEST_DIR")).join("clippy.toml");
    let text = fs::read_to_string(settings).unwrap();
    for order in ["le", "be", "ne"] {
        assert!(text.contains(&format!("\"usize::to_{order}_bytes\"")));
    }
}

/// The only violation in a source, or "" if there is none.
fn only_violation(path: &str, source: &str) -> String {
    let found = violations(path, source);
    assert!(found.len() < 2, "{found:?}");
    found.into_iter().next().unwrap_or_default()
}

#[test]
fn imports_of_higher_modules_are_rejected() {
    let may_not = |path: &str, source: &str, name: &str| {
        let violation = only_violation(path, source);
        assert!(
            violation.ends_with(&format!("may not name {name}")),
            "{source}: {violation:?}"
        );
    };
    may_not("bits/bytes.rs", "use crate::codec::Tree;", "codec");
    may_not("chess/san.rs", "fn f() { crate::bits::x() }", "bits");
    may_not("codec/mod.rs", "use super::moves::Codec;", "moves");
    may_not("codec/a.rs", "use super::super::archive;", "archive");
    may_not(
        "codec/a.rs",
        "mod tests { use super::super::super::pgn::X; }",
        "pgn",
    );
    may_not(
        "codec/a.rs",
        "mod t { fn f() {} }\nuse super::super::pgn::X;",
        "pgn",
    );
    may_not("codec.rs", "use super::cli;", "cli");
    may_not("cli/pack.rs", "use crate::{A, codec::C};", "codec");
    may_not("cli/find/a.rs", "use crate::internals::pgn::A;", "pgn");
    may_not(
        "cli/compare/a.rs",
        "use crate::internals::index::A;",
        "index",
    );
    may_not(
        "moves/a/b.rs",
        "use super::super::super::{chess, pgn};",
        "pgn",
    );
    for source in [
        "/* x */ use crate /* y */ :: archive;",
        "const S: &str = \"\\\"\"; use crate::archive;",
        "const Q: char = '\"'; use crate::archive;",
    ] {
        may_not("pgn/a.rs", source, "archive");
    }
    may_not("pgn/a.rs", "use crate::*;", "*");
    may_not(
        "main.rs",
        "fn main() { pgna::internals::archive::x() }",
        "archive",
    );
    assert!(only_violation("news/a.rs", "").contains("no place"));
}

#[test]
fn imports_of_lower_modules_are_allowed() {
    let good = |path: &str, source: &str| assert_eq!(only_violation(path, source), "", "{source}");
    good(
        "codec/a.rs",
        "use crate::bits::{Reader, codec};\nuse crate::limits::Limits;",
    );
    good("codec/a.rs", "use crate::codec::b; use super::archive;");
    good("codec/a.rs", "mod tests { use super::super::archive; }");
    good(
        "codec/a.rs",
        "// crate::archive\n/// [`crate::archive`]\n/* crate::cli */",
    );
    good(
        "codec/a.rs",
        "const S: &str = \"crate::archive\"; const R: &str = r#\"crate::\"cli\"#;",
    );
    good(
        "codec/a.rs",
        "fn f<'a>(x: &'a str) -> char { '\\'' } use super::x;",
    );
    good("lib.rs", "pub mod bits; pub use crate::archive::Archive;");
    good("cli/a.rs", "use crate::{Archive, safe_name};");
    good("cli/info/a.rs", "use crate::internals::archive::Sizes;");
    good("main.rs", "fn main() { pgna::cli::main() }");
}

#[test]
fn the_other_rules_are_enforced() {
    let chess_only = only_violation("pgn/a.rs", "use shakmaty::Chess;");
    assert!(chess_only.contains("names shakmaty"));
    assert_eq!(only_violation("chess/a.rs", "use shakmaty::Chess;"), "");
    assert_eq!(only_violation("pgn/a.rs", "//! not shakmaty\n"), "");
    let rayon = "fn f() { rayon::yield_now(); }";
    assert!(only_violation("cli/pack.rs", rayon).contains("names rayon"));
    assert_eq!(only_violation("parallel.rs", rayon), "");
    assert!(only_violation("bits/a.rs", "unsafe { x() }").contains("unsafe is allowed"));
    assert_eq!(only_violation("archive/fs/mmap.rs", "unsafe { x() }"), "");
    assert_eq!(only_violation("bits/a.rs", "#![forbid(unsafe_code)]"), "");
    assert!(only_violation("bits/a.rs", "usize::to_le_bytes(3)").contains("width of usize"));
    assert_eq!(only_violation("bits/a.rs", "u32::to_le_bytes(3)"), "");
    assert!(only_violation("bits/a.rs", &"\n".repeat(501)).contains("501 lines"));
    assert_eq!(only_violation("bits/a.rs", &"\n".repeat(500)), "");
}

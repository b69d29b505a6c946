//! The program calls no method that the documentation hides, except in its workbench: what it
//! needs, other programs need too.

use super::{Token, WORKBENCH, sources, tokens, word};
use std::collections::BTreeSet;

/// The names of functions after `#[doc(hidden)]` in a source.
fn hidden(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let at_attribute = |at: &usize| {
        let word_at = |at: usize| word(tokens.get(at));
        word_at(*at) == Some("doc") && word_at(at + 2) == Some("hidden")
    };
    let name_after = |at: usize| {
        // The attribute's brackets, visibility, and other attributes come between.
        let rest = tokens.get(at..)?;
        let end = rest.iter().position(|token| *token == Token::Open)?;
        let function = rest[..end]
            .iter()
            .position(|t| word(Some(t)) == Some("fn"))?;
        word(rest.get(function + 1)).map(str::to_owned)
    };
    let attributes = (0..tokens.len()).filter(at_attribute);
    attributes.filter_map(name_after).collect()
}

/// The hidden functions that a source calls: `x.name(…)` or `X::name`.
fn called(source: &str, hidden: &BTreeSet<String>) -> Vec<String> {
    let calls = source.parse().unwrap();
    let mut out = Vec::new();
    collect_calls(calls, &mut out);
    out.retain(|name| hidden.contains(name));
    out
}

fn collect_calls(stream: proc_macro2::TokenStream, out: &mut Vec<String>) {
    use proc_macro2::{Delimiter, TokenTree};
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let before = |mark: char, distance: usize| {
            let other = at.checked_sub(distance).and_then(|at| trees.get(at));
            matches!(other, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
        };
        match tree {
            TokenTree::Ident(name) => {
                let has_arguments = matches!(
                    trees.get(at + 1),
                    Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis
                );
                let owner = at.checked_sub(3).and_then(|at| trees.get(at));
                let is_of_type = matches!(
                    owner,
                    Some(TokenTree::Ident(name)) if name.to_string().starts_with(char::is_uppercase)
                );
                let is_path = before(':', 1) && before(':', 2) && is_of_type;
                if (before('.', 1) && has_arguments) || is_path {
                    out.push(name.to_string());
                }
            }
            TokenTree::Group(group) => collect_calls(group.stream(), out),
            _ => {}
        }
    }
}

#[test]
fn the_program_calls_no_hidden_method() {
    let sources = sources("src", "src");
    let all = sources.iter().flat_map(|(_, source)| hidden(source));
    let all: BTreeSet<String> = all.collect();
    assert!(all.contains("container"), "{all:?}");
    let is_program = |path: &str| {
        path.starts_with("cli/") && !WORKBENCH.iter().any(|part| path.starts_with(part))
    };
    let program = sources.iter().filter(|(path, _)| is_program(path));
    let calls = program.flat_map(|(path, source)| {
        let names = called(source, &all).into_iter();
        names.map(move |name| format!("{path}: calls the hidden {name}"))
    });
    let calls: Vec<String> = calls.collect();
    assert!(calls.is_empty(), "\n{}", calls.join("\n"));
}

#[test]
fn hidden_methods_and_their_calls_are_found() {
    let source = "#[doc(hidden)] pub fn a(&self) {} #[doc(hidden)] #[must_use] pub fn b() {}
        pub fn c() {} #[doc(hidden)] pub mod d { fn e() {} }";
    let hidden: BTreeSet<String> = hidden(source).into_iter().collect();
    assert!(hidden.iter().eq(["a", "b"]));
    let calls = |source: &str| called(source, &hidden).join(" ");
    assert_eq!(calls("fn f() { x.a(1); y.map(X::b); z.c(); }"), "a b");
    assert_eq!(calls("fn f(a: A) { a(1); x.a; b.c(); m::a(); }"), "");
}

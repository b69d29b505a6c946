//! Checks of documents, which an XML parser reads.

use std::collections::BTreeSet;

/// A document as XML.
pub(crate) struct Document(String);

/// A link to a move.
pub(crate) struct MoveLink {
    pub(crate) text: String,
    pub(crate) from: String,
    pub(crate) board: String,
    pub(crate) shapes: String,
}

/// A page as XML: without the declaration of its type, with closed `meta`, and without the content of
/// its style and its script, which are constants.
pub(crate) fn page(html: &str) -> Document {
    let html = html.strip_prefix("<!DOCTYPE html>").unwrap();
    let mut xml = String::new();
    for part in html.split_inclusive('>') {
        match part.strip_suffix('>') {
            Some(tag) if tag.starts_with("<meta ") => xml += &format!("{tag}/>"),
            _ => xml += part,
        }
    }
    for (start, end) in [("<style>", "</style>"), ("<script>", "</script>")] {
        if let Some(from) = xml.find(start) {
            let to = xml.rfind(end).unwrap();
            xml.replace_range(from + start.len()..to, "");
        }
    }
    Document(xml)
}

/// A picture.
pub(crate) fn picture(svg: &str) -> Document {
    Document(svg.to_owned())
}

/// Whether a text has a character that controls a terminal or the direction of text.
pub(crate) fn has_control(text: &str) -> bool {
    let is_control = |char: char| {
        (char.is_control() && char != '\n')
            || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    text.chars().any(is_control)
}

const ELEMENTS: [&str; 43] = [
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "script",
    "main",
    "header",
    "h1",
    "h2",
    "p",
    "a",
    "bdi",
    "span",
    "small",
    "div",
    "nav",
    "button",
    "table",
    "tr",
    "th",
    "td",
    "dl",
    "dt",
    "dd",
    "svg",
    "g",
    "defs",
    "radialGradient",
    "stop",
    "marker",
    "path",
    "circle",
    "rect",
    "line",
    "text",
    "use",
    "desc",
    "thead",
    "tbody",
    "figure",
    "em",
];

impl Document {
    fn tree(&self) -> roxmltree::Document<'_> {
        roxmltree::Document::parse(&self.0).unwrap_or_else(|error| panic!("{error}: {}", self.0))
    }

    /// Checks that the document is well-formed, that it has no other elements than drawings have,
    /// no style or script in attributes, links only into itself, and one element with each ID.
    pub(crate) fn check(&self) {
        assert!(!has_control(&self.0), "{}", self.0);
        let tree = self.tree();
        let mut ids = BTreeSet::new();
        let mut scripts = 0;
        for node in tree.descendants().filter(roxmltree::Node::is_element) {
            let name = node.tag_name().name();
            assert!(ELEMENTS.contains(&name), "<{name}>");
            scripts += usize::from(name == "script");
            for attribute in node.attributes() {
                let (name, value) = (attribute.name(), attribute.value());
                assert!(!name.starts_with("on") && name != "style", "{name}={value}");
                if ["href", "src"].contains(&name) {
                    assert!(value.starts_with('#'), "{name}={value}");
                }
                if name == "id" {
                    assert!(ids.insert(value.to_owned()), "{value}");
                }
            }
        }
        assert!(scripts <= 1);
        let is_known = |href: &str| ids.contains(href.trim_start_matches('#'));
        for node in tree.descendants() {
            assert!(node.attribute("href").is_none_or(is_known), "{node:?}");
        }
    }

    /// The text of the document.
    pub(crate) fn text(&self) -> String {
        let tree = self.tree();
        let texts = tree.descendants().filter_map(|node| match node.is_text() {
            true => node.text(),
            false => None,
        });
        texts.collect()
    }

    /// The number of elements of this name.
    pub(crate) fn count(&self, name: &str) -> usize {
        let tree = self.tree();
        let named = tree
            .descendants()
            .filter(|node| node.tag_name().name() == name);
        named.count()
    }

    /// The links to moves, in order.
    pub(crate) fn moves(&self) -> Vec<MoveLink> {
        let tree = self.tree();
        let links = tree.descendants();
        let links = links.filter(|node| node.attribute("class") == Some("move"));
        links
            .map(|node| {
                let value = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
                MoveLink {
                    text: node.text().unwrap_or_default().to_owned(),
                    from: value("data-from"),
                    board: value("data-board"),
                    shapes: value("data-shapes"),
                }
            })
            .collect()
    }
}

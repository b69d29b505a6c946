//! A game to draw.

use super::board::Diagram;
use super::game_tree::{GameTree, MoveNode, Notes};

/// A game to draw, with the position that is shown.
#[derive(Debug)]
pub struct GameDrawing<'a> {
    pub(super) tree: &'a GameTree,
    tags: &'a [(String, String)],
    pub(super) diagram: Diagram,
    /// The number of plies before the position.
    pub(super) plies: usize,
}

/// The tags that say where and when a game was played, its opening, and its terms.
const ABOUT: [&[&str]; 3] = [
    &["Event", "Site", "Round", "Date"],
    &["ECO", "Opening", "Variation"],
    &["TimeControl", "Termination", "Annotator"],
];

impl<'a> GameDrawing<'a> {
    /// The position after this many plies of the main line, with Black's side at the bottom if
    /// `is_flipped`; `None` if the line is shorter.
    pub fn new(
        tree: &'a GameTree,
        tags: &'a [(String, String)],
        plies: usize,
        is_flipped: bool,
    ) -> Option<Self> {
        let position = tree.position(plies)?;
        let mut drawing = GameDrawing {
            tree,
            tags,
            diagram: Diagram::new(&position),
            plies,
        };
        if let Some(node) = drawing.last_move() {
            drawing.diagram.mark_move(node);
        }
        drawing.diagram.mark_notes(drawing.notes());
        drawing.diagram.is_flipped = is_flipped;
        drawing.diagram.title = format!("{}, {}", drawing.players(), drawing.place());
        Some(drawing)
    }

    /// The board as SVG.
    pub fn svg(&self) -> String {
        self.diagram.svg()
    }

    /// The move that led to the position.
    pub(super) fn last_move(&self) -> Option<&'a MoveNode> {
        self.tree.main.moves.get(self.plies.checked_sub(1)?)
    }

    /// What is noted at the position.
    pub(super) fn notes(&self) -> &'a Notes {
        let last = self.last_move().map(|node| &node.notes);
        last.unwrap_or(&self.tree.main.notes)
    }

    /// The move that led to the position: `after 17… Nf6`.
    pub(super) fn place(&self) -> String {
        match self.last_move() {
            Some(node) if node.is_white => format!("after {}. {}", node.number, node.san),
            Some(node) => format!("after {}… {}", node.number, node.san),
            None => "start position".to_owned(),
        }
    }

    /// The players, the event and the date.
    pub(super) fn title(&self) -> String {
        let parts = [Some(self.players()), self.tag("Event"), self.tag("Date")];
        parts
            .into_iter()
            .flatten()
            .collect::<Vec<String>>()
            .join(", ")
    }

    pub(super) fn players(&self) -> String {
        format!("{} – {}", self.name("White"), self.name("Black"))
    }

    pub(super) fn name(&self, side: &str) -> String {
        self.tag(side).unwrap_or_else(|| side.to_owned())
    }

    /// The value of a tag; `None` if it says nothing.
    ///
    /// Unknown parts of a date are left out.
    pub(super) fn tag(&self, name: &str) -> Option<String> {
        let (_, value) = self.tags.iter().find(|(tag, _)| tag == name)?;
        let value = value.trim().trim_end_matches(".??").trim();
        (!matches!(value, "" | "?" | "-" | "????")).then(|| value.to_owned())
    }

    pub(super) fn result(&self) -> String {
        let of_moves = self.tree.result.map(ToOwned::to_owned);
        let result = self.tag("Result").or(of_moves).unwrap_or_default();
        result.replace("1/2-1/2", "½–½").replace('-', "–")
    }

    /// What the tags say about the game, as lines of values.
    pub(super) fn about(&self) -> impl Iterator<Item = Vec<String>> {
        let lines = ABOUT.into_iter().map(|names| {
            let values = names.iter().filter_map(|name| self.value(name));
            values.collect::<Vec<String>>()
        });
        lines.filter(|values| !values.is_empty())
    }

    fn value(&self, name: &str) -> Option<String> {
        let value = self.tag(name)?;
        Some(match name {
            "Termination" if value.eq_ignore_ascii_case("normal") => return None,
            "Round" => format!("round {value}"),
            "TimeControl" => format!("time control {value}"),
            "Annotator" => format!("notes by {value}"),
            _ => value,
        })
    }

    /// The last clock of a side up to the position.
    pub(super) fn last_clock(&self, is_white: bool) -> Option<String> {
        let played = self.tree.main.moves.get(..self.plies)?;
        let of_side = played.iter().rev().filter(|node| node.is_white == is_white);
        of_side.map(|node| &node.notes).find_map(Notes::clock)
    }
}

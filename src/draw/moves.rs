//! The moves of a game with variations and comments, as HTML.

use super::board::{Diagram, placement};
use super::curve::Curve;
use super::game_tree::{Eval, GameTree, Line, MoveNode, Notes};
use super::text::Text;
use crate::pgn::Position;
use maud::{Markup, html};

/// Writes moves as links with what the script needs to draw the positions after them.
pub(super) struct MovesWriter<'a> {
    tree: &'a GameTree,
    curve: Option<Curve<'a>>,
    /// The number of plies of the main line that are shown as played.
    plies: usize,
    /// The number of links so far; link 0 is the start position.
    links: usize,
}

impl<'a> MovesWriter<'a> {
    pub(super) fn new(tree: &'a GameTree, plies: usize) -> Self {
        MovesWriter {
            tree,
            curve: Curve::new(&tree.main),
            plies,
            links: 0,
        }
    }

    /// All moves.
    pub(super) fn game(&mut self) -> Markup {
        let start = self.tree.start.clone();
        let attributes = Attributes::new(&start, None, &self.tree.main.notes);
        let x = self.curve.as_ref().map(|curve| curve.x(0));
        let is_shown = (self.plies == 0).then_some("true");
        html! {
            p {
                a class="move" id="m0" href="#m0" data-board=(attributes.board)
                    data-check=[attributes.check] data-shapes=[attributes.shapes] data-x=[x]
                    aria-current=[is_shown] { "Start" }
            }
            div class="main" { (self.line(&self.tree.main, start, 0)) }
        }
    }

    /// A line from this position, which link `from` leads to. Variations are nested at most
    /// [`MAX_DEPTH`](super::game_tree::MAX_DEPTH) deep.
    fn line(&mut self, line: &Line, mut position: Position, mut from: usize) -> Markup {
        // The number of a move of Black's is written where something is between it and White's.
        let mut needs_number = true;
        html! {
            (comments(&line.notes))
            @for node in &line.moves {
                @let before = position.clone();
                @let is_played = position.play(node.ply).is_ok();
                @if is_played {
                    @if node.is_white || needs_number {
                        span class="number" { (node.number) (if node.is_white { "." } else { "…" }) } "\u{a0}"
                    }
                    @let link = self.next_link();
                    (self.link(node, &position, (link, from))) " "
                    (values(&node.notes))
                    (comments(&node.notes))
                    @for variation in &node.variations {
                        div class="variation" { (self.line(variation, before.clone(), from)) }
                    }
                    @let () = from = link;
                    @let () = needs_number = node.has_text();
                }
            }
            @if let Some(words) = &line.unplayed {
                span class="note" { "cannot be played: " bdi { (Text(words)) } } " "
            }
        }
    }

    fn next_link(&mut self) -> usize {
        self.links += 1;
        self.links
    }

    /// A move as a link with its number and that of the one before.
    fn link(&self, node: &MoveNode, position: &Position, (link, from): (usize, usize)) -> Markup {
        let attributes = Attributes::new(position, Some(node), &node.notes);
        let main = self.tree.main.moves.get(node.plies.wrapping_sub(1));
        let is_main = main.is_some_and(|main| std::ptr::eq(main, node));
        let is_shown = (is_main && node.plies == self.plies).then_some("true");
        let x = self.curve.as_ref().filter(|_| is_main);
        let x = x.map(|curve| curve.x(node.plies));
        html! {
            a class="move" id={ "m" (link) } href={ "#m" (link) } data-from={ "m" (from) }
                data-side=(if node.is_white { "w" } else { "b" }) data-board=(attributes.board)
                data-last=(attributes.last) data-check=[attributes.check]
                data-shapes=[attributes.shapes] data-clock=[node.notes.clock()] data-x=[x]
                aria-current=[is_shown] { (node.san) (node.notes.glyphs()) }
        }
    }
}

impl MoveNode {
    /// Whether there is text between the move and the next.
    pub(super) fn has_text(&self) -> bool {
        !self.notes.comments.is_empty() || !self.variations.is_empty()
    }
}

/// What the script draws.
struct Attributes {
    board: String,
    last: String,
    check: Option<String>,
    shapes: Option<String>,
}

impl Attributes {
    fn new(position: &Position, node: Option<&MoveNode>, notes: &Notes) -> Attributes {
        let last = node.map(MoveNode::squares).unwrap_or_default();
        let last: Vec<String> = last.iter().map(ToString::to_string).collect();
        let squares = notes.squares.iter();
        let squares = squares.map(|it| format!("{}{}", it.color.letter(), it.square));
        let arrows = notes.arrows.iter();
        let arrows = arrows.map(|it| format!("{}{}{}", it.color.letter(), it.from, it.to));
        let shapes: Vec<String> = squares.chain(arrows).collect();
        let fen = position.fen();
        let check = match position.is_check() {
            true => Diagram::new(position).check,
            false => None,
        };
        Attributes {
            board: placement(&fen).to_owned(),
            last: last.join(" "),
            check: check.map(|square| square.to_string()),
            shapes: (!shapes.is_empty()).then(|| shapes.join(" ")),
        }
    }
}

/// The evaluation and the clock.
fn values(notes: &Notes) -> Markup {
    let eval = notes.eval.map(Eval::text);
    let values: Vec<String> = eval.into_iter().chain(notes.clock()).collect();
    html! {
        @if !values.is_empty() { small { (values.join(" · ")) } " " }
    }
}

fn comments(notes: &Notes) -> Markup {
    html! {
        @for comment in &notes.comments {
            span class="comment" dir="auto" { (Text(comment)) } " "
        }
    }
}

impl Notes {
    /// The clock as text: `1:02:03`.
    pub fn clock(&self) -> Option<String> {
        let seconds = self.clock_millis? / 1000;
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        Some(format!("{hours}:{minutes:02}:{:02}", seconds % 60))
    }
}

impl Eval {
    /// The evaluation as text: `+0.35`, `#-3`.
    pub fn text(self) -> String {
        match self {
            Eval::Centipawns(0) => "0.00".to_owned(),
            Eval::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            Eval::Mate(moves) => format!("#{moves}"),
        }
    }
}

//! Decoding the main line of a movetext.

use crate::archive::error::ContentError;
use crate::archive::schema::record::Movetext;
use crate::chess::{ChessPosition, Outcome, PlyKind};
use crate::limits::Limits;
use crate::model::GameContext;
use crate::moves::{Codec, DecodedLine, LineInfo, LineStart, MoveCodec, MoveError, PlyVisitor};
use crate::pgn::{MAX_NODES, MIN_PLY_BYTES, marker_of_outcome, outcome_of_marker};

/// The maximum number of plies of a text of this many bytes.
pub(crate) fn max_plies(max_bytes: usize) -> usize {
    (max_bytes / MIN_PLY_BYTES).min(MAX_NODES)
}

pub(crate) const TOO_MANY_PLIES: ContentError =
    ContentError::Invalid("more plies than the text can hold");

impl Movetext<'_> {
    /// The result that the termination marker states.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        outcome_of_marker(self.result.checked_sub(1)?)
    }

    /// Whether the codec is `model`.
    pub(crate) fn has_model(&self) -> bool {
        self.codec == Codec::Model.selector()
    }

    /// The inputs of a model apart from the moves.
    pub(crate) fn context(&self) -> GameContext {
        GameContext {
            ratings: self.ratings,
            outcome: self.outcome(),
            plies: u32::try_from(self.plies).unwrap_or(u32::MAX),
        }
    }

    /// Checks that variations are not coded apart from the stream of a model codec,
    /// which contains them.
    pub(crate) fn check_stream(&self) -> Result<(), ContentError> {
        match self.variations.is_empty() {
            true => Ok(()),
            false => Err(ContentError::Invalid(
                "variations beside a stream of all moves",
            )),
        }
    }

    /// Checks the number of plies against the limit, as far as the columns give it,
    /// before any ply is decoded.
    pub(crate) fn check_plies(&self, limits: &Limits) -> Result<(), ContentError> {
        let (plies, limit) = (self.plies_of_moves(), limits.plies);
        if plies > limit {
            return Err(MoveError::TooManyPlies { plies, limit }.into());
        }
        Ok(())
    }

    /// Whether the moves code the number of plies of the main line.
    pub(crate) fn codes_plies(&self) -> bool {
        Codec::from_selector(self.codec).is_some_and(Codec::codes_plies)
    }

    /// Decodes the main line. `nulls` are the ply numbers of its null moves.
    pub(crate) fn decode(
        &self,
        start: &ChessPosition,
        nulls: &[u64],
        limits: &Limits,
    ) -> Result<DecodedLine, ContentError> {
        let (codec, shape) = self.line_info(start, nulls)?;
        Ok(codec.decode(&self.moves, &shape, limits)?)
    }

    /// Decodes the main line ply by ply, until `see` breaks.
    pub(super) fn follow(
        &self,
        start: &ChessPosition,
        nulls: &[u64],
        limits: &Limits,
        see: &mut PlyVisitor<'_>,
    ) -> Result<(), ContentError> {
        let (codec, shape) = self.line_info(start, nulls)?;
        Ok(codec.follow(&self.moves, &shape, limits, see)?)
    }

    fn line_info<'l>(
        &'l self,
        start: &'l ChessPosition,
        nulls: &'l [u64],
    ) -> Result<(Codec, LineInfo<'l>), ContentError> {
        let codec =
            Codec::from_selector(self.codec).ok_or(ContentError::Invalid("unknown move codec"))?;
        let shape = LineInfo {
            result: self.outcome(),
            ratings: self.ratings,
            side_info: self.side_info,
            ..LineInfo::new(LineStart::Position(start), self.plies, nulls)
        };
        Ok((codec, shape))
    }

    /// Decodes a main line whose moves code its length. `max_bytes`, the size of the
    /// text, bounds the number of plies.
    pub(crate) fn decode_with_length(
        &self,
        start: &ChessPosition,
        max_bytes: usize,
        limits: &Limits,
    ) -> Result<DecodedLine, ContentError> {
        let most = max_plies(max_bytes) as u64;
        let plies = limits.plies.min(most);
        let bounded = Limits {
            plies,
            ..limits.clone()
        };
        match self.decode(start, &[], &bounded) {
            Err(ContentError::Moves(MoveError::TooManyPlies { .. })) if plies == most => {
                Err(TOO_MANY_PLIES)
            }
            decoded => decoded,
        }
    }

    /// Sets the number of plies and the termination marker that the moves code. The
    /// columns must not give them as well.
    pub(crate) fn set_ending(&mut self, line: &DecodedLine) -> Result<(), ContentError> {
        if self.plies != 0 || self.result != 0 {
            return Err(ContentError::Invalid(
                "an ending that the moves already code",
            ));
        }
        self.plies = line.plies.len() as u64;
        let marker = line.result.and_then(marker_of_outcome);
        self.result = 1 + marker.ok_or(ContentError::Invalid("moves without an ending"))?;
        Ok(())
    }

    /// A main line without plies; codec and moves must be empty.
    pub(crate) fn no_plies(&self) -> Result<Vec<PlyKind>, ContentError> {
        if self.codec == 0 && self.moves.is_empty() {
            Ok(Vec::new())
        } else {
            Err(ContentError::Invalid("moves without plies"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotation::{Item, Notation, TimeControl};
    use crate::archive::block::decode_movetext::decode_movetext;
    use crate::archive::write::encode_movetext::encode_movetext;
    use crate::chess::Spelling;
    use crate::model::{BuiltinModel, MoveModel, SegmentModel};
    use crate::pgn::{Lexeme, Node, Scanner, Walker, parse};
    use std::borrow::Cow;

    fn fast() -> &'static SegmentModel {
        static FAST: std::sync::LazyLock<SegmentModel> =
            std::sync::LazyLock::new(|| MoveModel::from(BuiltinModel::Fast).into());
        &FAST
    }

    fn none() -> &'static Notation {
        static NOTATION: std::sync::LazyLock<Notation> =
            std::sync::LazyLock::new(Notation::default);
        &NOTATION
    }

    fn assert_nodes_round_trip(text: &str) -> u8 {
        let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
        let parsed = parse(text.as_bytes(), &lexemes);
        assert_eq!(parsed.verbatim_reason, None, "{text}");
        let start = &parsed.tree.start;
        let defaults = [&Codec::ALL[..], &[Codec::Model], &[Codec::Radix]].map(|codecs| {
            let mut movetext = encode_movetext(&parsed.tree, codecs, fast(), none()).unwrap();
            let default = movetext.default_spelling;
            let mut untraced = Movetext {
                trace: None,
                ..movetext.clone()
            };
            for movetext in [&mut movetext, &mut untraced] {
                let limits = Limits::default();
                let nodes = decode_movetext(movetext, start, none(), text.len(), &limits).unwrap();
                assert_eq!(write(start, &nodes), write(start, &parsed.tree.nodes));
            }
            default
        });
        defaults[0]
    }

    /// Nodes with the texts of their moves. A default spelling may have flags that make
    /// no difference in the text of a move.
    fn write(start: &ChessPosition, nodes: &[Node<'_>]) -> Vec<String> {
        let mut walker = Walker::new(start.clone());
        let text = |node: &Node<'_>| {
            match node {
                Node::Open => walker.open().unwrap(),
                Node::Close => walker.close().unwrap(),
                Node::Ply(ply, spelling) => {
                    let mut out = Vec::new();
                    let play =
                        |position: &mut ChessPosition| position.write(*ply, *spelling, &mut out);
                    walker.step(play).unwrap();
                    return String::from_utf8(out).unwrap();
                }
                _ => {}
            }
            format!("{node:?}")
        };
        nodes.iter().map(text).collect()
    }

    #[test]
    fn movetexts_round_trip() {
        assert_nodes_round_trip("");
        assert_nodes_round_trip("{a} *");
        assert_nodes_round_trip("1. e4! $3 {a} e5 ; b\n2. -- {c} -- 1-0 {d}");
        assert_nodes_round_trip("1. Ng1f3 Nf6 2. d4 e6 0-1");
        assert_nodes_round_trip("1. e4 e5 2. f4 -- 3. f5 1-0");
    }

    #[test]
    fn variations_round_trip() {
        assert_nodes_round_trip(
            "1. e4 (1. d4 d5 (1... Nf6 2. c4 -- {pass}) 2. Nc3 *) 1... e5 $1 (1... c5) 1/2-1/2",
        );
        assert_nodes_round_trip("1. e4 ({first} 1. d4! $13 (1. c4) 1... d5) () *");
        assert_nodes_round_trip("1. e4 -- (1... e5 2. --) 2. d4 ( 1... --");
        assert_nodes_round_trip("1. Nf3 (1. Ng1f3 Ng8f6) 1... Nf6 *");
    }

    #[test]
    fn start_positions_and_variants_round_trip() {
        assert_nodes_round_trip("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 9\"]\n\n9... Ke7 10. e4 *");
        assert_nodes_round_trip("[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e5 P@d4 *");
        assert_nodes_round_trip("[Variant \"Atomic\"]\n\n1. Nf3 a6 2. Ne5 a5 3. Nxf7# 1-0");
    }

    #[test]
    fn codecs_that_code_the_plies_leave_the_columns_zero() {
        for (text, codes_plies) in [
            ("1. f3 e5 2. g4 Qh4# 0-1", true),
            ("1. f3 1-0", true),
            ("1. f3 0-1", false),
            ("1. f3 *", false),
            ("1. f3 -- 1/2-1/2", false),
        ] {
            let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
            let parsed = parse(text.as_bytes(), &lexemes);
            let mut movetext =
                encode_movetext(&parsed.tree, &[Codec::RadixEnd], fast(), none()).unwrap();
            assert_eq!(movetext.codes_plies(), codes_plies, "{text}");
            assert_eq!(
                movetext.plies == 0 && movetext.result == 0,
                codes_plies,
                "{text}"
            );
            let start = &parsed.tree.start;
            let nodes =
                decode_movetext(&mut movetext, start, none(), text.len(), &Limits::default())
                    .unwrap();
            assert_eq!(nodes, parsed.tree.nodes);
        }
    }

    /// Changed bytes or changed numbers of plies give another game or an error.
    #[test]
    fn streams_are_read_to_their_end() {
        let text = "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. Nc3) 1... e5 $1 (1... c5) 2. Nf3 Nc6 1-0";
        let models = BuiltinModel::ALL.map(|model| SegmentModel::from(MoveModel::from(model)));
        for (model, is_traced) in models
            .iter()
            .flat_map(|model| [(model, true), (model, false)])
        {
            let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
            let tree = parse(text.as_bytes(), &lexemes).tree;
            let back = |change: fn(&mut Movetext<'_>)| {
                let mut movetext = encode_movetext(&tree, &[Codec::Model], model, none()).unwrap();
                assert_eq!((movetext.plies, movetext.variation_plies), (4, 6));
                assert!(movetext.variations.is_empty());
                movetext.trace = movetext.trace.filter(|_| is_traced);
                change(&mut movetext);
                let (start, limits) = (&tree.start, &Limits::default());
                let nodes = decode_movetext(&mut movetext, start, none(), text.len(), limits)?;
                // The nodes borrow from `movetext`.
                Ok::<_, ContentError>(nodes == tree.nodes)
            };
            assert_eq!(back(|_| {}), Ok(true));
            assert!(back(|movetext| movetext.moves.to_mut().push(0)).is_err());
            let is_other = |back: Result<bool, _>| back != Ok(true);
            assert!(is_other(back(|movetext| movetext.moves.to_mut().push(1))));
            let cut = |movetext: &mut Movetext<'_>| {
                movetext.moves.to_mut().pop();
            };
            assert!(is_other(back(cut)));
            assert!(is_other(back(|movetext| movetext.plies += 1)));
            assert!(is_other(back(|movetext| movetext.plies -= 1)));
            assert!(is_other(back(|movetext| movetext.variation_plies += 1)));
            assert!(back(|movetext| movetext.variations = Cow::Borrowed(&[1])).is_err());
            let as_radix = |movetext: &mut Movetext<'_>| movetext.codec = Codec::Radix.selector();
            assert!(is_other(back(as_radix)));
        }
        let limits = Limits {
            plies: 9,
            ..Limits::default()
        };
        let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
        let tree = parse(text.as_bytes(), &lexemes).tree;
        let mut movetext = encode_movetext(&tree, &[Codec::Model], fast(), none()).unwrap();
        let error =
            decode_movetext(&mut movetext, &tree.start, none(), text.len(), &limits).unwrap_err();
        assert!(error.to_string().contains("10 plies"), "{error}");
    }

    #[test]
    fn default_spellings_are_found() {
        let zeros = assert_nodes_round_trip("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 *");
        assert_eq!(zeros, Spelling::ZEROS);
        let no_checks = assert_nodes_round_trip("1. e4 f5 2. Qh5 g6 3. Qg6 hxg6 4. Ba6 Nxa6 *");
        assert_eq!(no_checks, Spelling::STANDARD.to_byte(), "no default pays");
        assert_eq!(
            assert_nodes_round_trip("1. e4 d5 2. Bb5 c6 3. Bc6 Bd7 4. Bd7 *"),
            Spelling::SUFFIX | Spelling::NO_CAPTURE
        );
    }

    /// The mark of a null move must be the last of its group. Otherwise the null move
    /// could belong to another line than its mark.
    #[test]
    fn the_mark_of_a_null_move_is_last_in_its_group() {
        use crate::pgn::Mark::{self, Close, Null, Open};
        let assembled = |before_variation: &[Mark], after_it: &[Mark]| {
            let before = before_variation.iter().map(|mark| (1, Item::Mark(*mark)));
            let after = after_it.iter().map(|mark| (2, Item::Mark(*mark)));
            let items: Vec<_> = before.chain(after).collect();
            let marks = none().write(3, &items, TimeControl::default());
            let mut movetext = Movetext {
                plies: 2,
                variation_plies: 1,
                codec: Codec::Radix.selector(),
                marks: marks.expect("marks").bits.into(),
                ..Movetext::default()
            };
            let (start, limits) = (ChessPosition::standard(), Limits::default());
            decode_movetext(&mut movetext, &start, none(), 20, &limits).map(|nodes| nodes.len())
        };
        assert!(assembled(&[Open, Null], &[Close, Null]).is_ok());
        for (before, after) in [
            (&[Null, Open][..], &[Close][..]),
            (&[Open], &[Null, Close]),
            (&[Open, Null, Null], &[Close]),
            (&[Open], &[Close, Null, Null]),
        ] {
            let error = assembled(before, after).expect_err("not last");
            assert!(error.to_string().contains("null"), "{error}");
        }
    }

    #[test]
    fn inconsistent_movetexts_are_refused() {
        let lie = |change: fn(&mut Movetext<'_>)| {
            let mut movetext = Movetext::default();
            change(&mut movetext);
            let (start, limits) = (ChessPosition::standard(), Limits::default());
            decode_movetext(&mut movetext, &start, none(), 10, &limits).unwrap_err()
        };
        lie(|movetext| movetext.plies = 11);
        lie(|movetext| movetext.codec = 1);
        lie(|movetext| movetext.plies = 1);
        lie(|movetext| movetext.prose = Cow::Borrowed(b"x"));
        lie(|movetext| movetext.marks = Cow::Borrowed(&[0]));
        lie(|movetext| movetext.exceptions = Cow::Borrowed(&[0, 1]));
    }
}

//! Properties of expressions on games of arbitrary moves.

use super::*;
use crate::chess::{Castlings, Skeleton, side_of};
use crate::index::{KnownPosition, SearchTarget, Ternary};
use proptest::prelude::*;

/// A game of legal moves that the numbers choose.
fn game(choices: &[u16], start: ChessPosition) -> Moves {
    let mut position = start.clone();
    let mut steps = Vec::new();
    for choice in choices {
        let plies = position.legal_plies();
        let Some(ply) = plies.get(usize::from(*choice) % plies.len().max(1)) else {
            break;
        };
        position.make(*ply).unwrap();
        steps.push(crate::pgn::Step::Ply(*ply));
    }
    Moves { start, steps }
}

fn flipped(moves: &Moves) -> Moves {
    use crate::chess::PlyKind;
    let steps = moves.steps.iter().map(|step| match step {
        crate::pgn::Step::Ply(PlyKind::Move {
            from,
            to,
            promotion,
        }) => crate::pgn::Step::Ply(PlyKind::Move {
            from: from.flip_vertical(),
            to: to.flip_vertical(),
            promotion: *promotion,
        }),
        step => *step,
    });
    Moves {
        start: flip(&moves.start),
        steps: steps.collect(),
    }
}

fn expression() -> impl Strategy<Value = String> {
    let atom = prop::sample::select(vec![
        "check",
        "end",
        "any",
        "turn white",
        "opposite bishops",
        "mate",
        "castled white",
        "castled black long",
        "castled same",
        "repeated 2",
        "isolated P",
        "isolated pd",
        "doubled p",
        "passed P",
        "backward [Pp]",
        "passed P > passed p",
        "open a-h",
        "half-open white a",
        "attacked Q",
        "attacked n by P",
        "pinned [Aa]",
        "P = p",
        "[QR] < [qr]",
        "Nd4-5",
        "moves P",
        "moves n to [c6,f6]",
        "takes [Aa]",
        "plays Nf3",
        "plays O-O",
        "imbalance Pv",
        "pattern \"Pe4 pe5\"",
        "pieces rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "material KQ?R*B*N*P{5-8}kq?r*b*n*p{5-8}",
    ]);
    let atom = atom.prop_map(str::to_owned);
    atom.prop_recursive(4, 12, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            pair.clone().prop_map(|(a, b)| format!("({a} and {b})")),
            pair.clone().prop_map(|(a, b)| format!("({a} or {b})")),
            pair.clone().prop_map(|(a, b)| format!("({a} then {b})")),
            (1u32..6, pair).prop_map(|(n, (a, b))| format!("({a} then within {n} {b})")),
            (1u32..6, inner.clone()).prop_map(|(n, a)| format!("({a}) for {n}")),
            inner.clone().prop_map(|a| format!("not ({a})")),
            inner.prop_map(|a| format!("ever ({a})")),
        ]
    })
}

/// The plies at which an expression holds, each found by itself.
fn plies(moves: &Moves, text: &str) -> Vec<usize> {
    let test = test(text);
    plies_of(moves, &test)
}

fn plies_of(moves: &Moves, test: &PositionTest) -> Vec<usize> {
    // A test that is satisfied at a given ply at the earliest: the ply is that of `any for N`.
    let count = moves.steps.len() + 1;
    let at = |ply: usize| {
        let here = format!("(any for {}) and not (any for {})", ply + 1, ply + 2);
        let tests = [test.clone(), self::test(&here)];
        find_in_main_line(moves, &tests).is_some()
    };
    (0..count).filter(|ply| at(*ply)).collect()
}

/// To which sides the players castle in a game.
fn castlings(moves: &Moves) -> Castlings {
    let mut castlings = Castlings::default();
    let mut plies = moves.main_line();
    moves.find_in_main_line(|_, position| {
        let facts = position.move_facts(plies.next()?)?;
        if facts.castling.is_some() {
            castlings[side_of(position.turn())] = facts.castling;
        }
        None::<()>
    });
    castlings
}

proptest! {
    #[test]
    fn colours_do_not_matter(choices in prop::collection::vec(any::<u16>(), 0..60), text in expression()) {
        let moves = game(&choices, ChessPosition::standard());
        let other = test(&text).flipped();
        prop_assert_eq!(
            find_in_main_line(&moves, &[test(&text)]),
            find_in_main_line(&flipped(&moves), std::slice::from_ref(&other)),
            "{}", text
        );
        prop_assert_eq!(
            find_in_main_line(&moves, &[test(&text)]),
            find_in_main_line(&moves, &[other.flipped()]),
            "{}", text
        );
    }

    /// What a skeleton and the castling of the game show is so, and a skeleton that changes loses
    /// potential.
    #[test]
    fn what_skeletons_show_is_so(
        choices in prop::collection::vec(any::<u16>(), 0..60),
        text in expression(),
        knows_castling: bool,
    ) {
        let moves = game(&choices, ChessPosition::standard());
        let castlings = castlings(&moves);
        let sought = test(&text);
        let held = plies(&moves, &text);
        let mut last: Option<Skeleton> = None;
        moves.find_in_main_line(|ply, position| {
            let skeleton = position.skeleton();
            let known = KnownPosition::of(&skeleton, knows_castling.then_some(castlings));
            match std::slice::from_ref(&sought).judge(&known) {
                Ternary::UNKNOWN => {}
                judged => assert_eq!(judged == Ternary::TRUE, held.contains(&ply), "{text} {ply}"),
            }
            if let Some(last) = last.filter(|last| *last != skeleton) {
                assert!(last.potential() > skeleton.potential());
            }
            last = Some(skeleton);
            None::<()>
        });
    }

    /// Relations are defined by the plies at which their parts hold.
    #[test]
    fn relations_follow_their_definitions(
        choices in prop::collection::vec(any::<u16>(), 0..24),
        a in expression(),
        b in expression(),
        n in 1usize..6,
    ) {
        let moves = game(&choices, ChessPosition::standard());
        let (of_a, of_b) = (plies(&moves, &a), plies(&moves, &b));
        let all = 0..=moves.steps.len();
        let is_before = |ply: usize, within: usize| of_a.iter().any(|at| *at < ply && ply - at <= within);
        let of = |is_it: &dyn Fn(usize) -> bool| all.clone().filter(|ply| is_it(*ply)).collect::<Vec<_>>();
        let then = of(&|ply| of_b.contains(&ply) && is_before(ply, usize::MAX));
        prop_assert_eq!(plies(&moves, &format!("({a}) then ({b})")), then);
        let within = of(&|ply| of_b.contains(&ply) && is_before(ply, n));
        prop_assert_eq!(plies(&moves, &format!("({a}) then within {n} ({b})")), within);
        let lasting = of(&|ply| ply + 1 >= n && (ply + 1 - n..=ply).all(|ply| of_a.contains(&ply)));
        prop_assert_eq!(plies(&moves, &format!("({a}) for {n}")), lasting);
        let ever = of(&|ply| of_a.iter().any(|at| *at <= ply));
        prop_assert_eq!(plies(&moves, &format!("ever ({a})")), ever);
        prop_assert_eq!(plies(&moves, &format!("({a}) for 1")), of_a.clone());
        prop_assert_eq!(plies(&moves, &format!("not not ({a})")), of_a.clone());
        prop_assert_eq!(plies(&moves, &format!("not ({a})")), of(&|ply| !of_a.contains(&ply)));
        prop_assert_eq!(
            plies(&moves, &format!("({a}) and ({b})")),
            of(&|ply| of_a.contains(&ply) && of_b.contains(&ply))
        );
        prop_assert_eq!(
            plies(&moves, &format!("({a}) or ({b})")),
            of(&|ply| of_a.contains(&ply) || of_b.contains(&ply))
        );
    }

    /// A game whose only variation has all its moves is searched as the game is.
    #[test]
    fn variations_are_searched_as_main_lines(
        choices in prop::collection::vec(any::<u16>(), 1..30),
        text in expression(),
    ) {
        use crate::pgn::Step;
        let main = game(&choices, ChessPosition::standard());
        let mut steps = vec![main.steps[0], Step::Open];
        steps.extend(&main.steps);
        steps.push(Step::Close);
        let inside = Moves { steps, ..main.clone() };
        let tests = [test(&text)];
        prop_assert_eq!(
            is_in_variations(&inside, &tests),
            find_in_main_line(&main, &tests).is_some(),
            "{}", text
        );
    }
}

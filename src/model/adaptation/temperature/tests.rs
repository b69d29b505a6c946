use super::*;
use crate::chess::{ChessPosition, Color, PlyKind};
use crate::model::groups::Fast;
use crate::model::hash::mix;
use crate::model::{Follower, GameAdaptation, GameContext, SampleGame, Weights, line};
use proptest::prelude::*;

/// Arbitrary weights.
fn odd() -> Weights<Fast, 32, 32> {
    let mut weights = Weights::zero();
    for (number, weight) in (0..).zip(weights.linear.to_mut()) {
        *weight = mix(number).to_le_bytes()[0].cast_signed() / 4;
    }
    weights
}

/// Lines in which each side plays the best or the worst move by the model; the
/// first moves depend on `seed`.
fn lines(weights: &Weights<Fast, 32, 32>, is_best: bool) -> Vec<Vec<PlyKind>> {
    let start = ChessPosition::standard();
    let line = |seed: usize| {
        let mut position = start.clone();
        let mut follower = Follower::new(
            weights,
            &start,
            GameContext::default(),
            GameAdaptation::NONE,
        )?;
        let mut line = Vec::new();
        for at in 0..40 {
            let plies = position.legal_plies();
            let odds = follower.probabilities(&GameContext::default(), 1 << 16);
            let odds = |ply: &&PlyKind| {
                let number = follower.number(**ply).expect("legal");
                odds.as_ref().map(|odds| odds[number])
            };
            let ply = match (at, is_best) {
                (0, _) => plies.get(seed % plies.len()),
                (_, true) => plies.iter().max_by_key(odds),
                (_, false) => plies.iter().min_by_key(odds),
            };
            let ply = *ply?;
            follower.follow(ply, |_, _| ())?;
            position.make(ply).ok()?;
            line.push(ply);
        }
        Some(line)
    };
    (0..20).filter_map(line).collect()
}

fn games<'g>(start: &'g ChessPosition, lines: &'g [Vec<PlyKind>]) -> Vec<SampleGame<'g>> {
    let game = |plies| SampleGame {
        start,
        plies,
        context: GameContext::default(),
        white: b"",
        black: b"",
    };
    lines.iter().map(|line| game(line.as_slice())).collect()
}

/// The coded size of lines with these terms of the segment.
fn bytes(
    weights: &Weights<Fast, 32, 32>,
    games: &[SampleGame<'_>],
    temperature: &Temperature,
) -> usize {
    let hints = GameAdaptation {
        temperature,
        place: None,
    };
    let encode =
        |game: &SampleGame<'_>| line::encode(weights, game.start, game.plies, game.context, hints);
    let lengths = games.iter().map(|game| encode(game).expect("a line").len());
    lengths.sum()
}

#[test]
fn terms_go_where_the_games_are() {
    let (weights, start) = (odd(), ChessPosition::standard());
    for is_best in [true, false] {
        let lines = lines(&weights, is_best);
        let games = games(&start, &lines);
        assert!(games.len() > 10);
        let terms = Temperature::of(&weights, &games);
        assert_eq!(terms, Temperature::of(&weights, &games));
        let sum: i32 = terms.terms.iter().map(|term| i32::from(*term)).sum();
        assert_eq!(sum > 0, is_best, "{terms:?}");
        let before = bytes(&weights, &games, &Temperature::NEUTRAL);
        let after = bytes(&weights, &games, &terms);
        assert!(after + BYTES < before, "{after} {before}");
        // A segment does not repeat the terms that the model already has.
        let mut adapted = weights.clone();
        adapted.temperature = terms;
        assert_eq!(bytes(&adapted, &games, &Temperature::NEUTRAL), after);
        let more = Temperature::of(&adapted, &games);
        assert!(bytes(&adapted, &games, &more) <= after);
    }
}

#[test]
fn a_few_games_are_not_worth_terms() {
    let (weights, start) = (odd(), ChessPosition::standard());
    let lines = lines(&weights, true);
    assert_eq!(Temperature::of(&weights, &[]), Temperature::NEUTRAL);
    let one = Temperature::of(&weights, &games(&start, &lines[..1]));
    assert_eq!(one, Temperature::NEUTRAL);
}

#[test]
fn means_follow_the_moves() {
    let mut surprise = Surprise::new();
    assert_eq!(surprise.of(Color::White), 3 * 664);
    surprise.update(Color::White, 0);
    assert_eq!(surprise.of(Color::White), 2 * (664 - 83) + 664);
    assert_eq!(surprise.of(Color::Black), 2 * 664 + (664 - 83));
    surprise.update(Color::Black, u32::MAX);
    assert_eq!(surprise.of(Color::Black), 2 * (664 - 83 + 1024) + 581);
    for _ in 0..1000 {
        surprise.update(Color::White, u32::MAX);
        surprise.update(Color::Black, 0);
    }
    assert!(surprise.of(Color::White) < 1 << 16);
}

#[test]
fn bounds() {
    let plain = [-100, -16, 0, 16, 100, i32::MAX, i32::MIN].map(bounded);
    assert_eq!(plain, [16, 16, 32, 48, 48, 48, 16]);
}

#[test]
fn the_specification_has_these_bounds() {
    let spec = include_str!("../../../../spec/models.md");
    let choices = bucket::CHOICES.map(|choices| u32::try_from(choices).expect("few"));
    for bounds in [bucket::SURPRISE, bucket::PLIES, choices] {
        let shown = bounds.map(|bound| bound.to_string()).join(", ");
        assert!(spec.contains(&format!("how many of {shown} ")), "{shown}");
    }
}

proptest! {
    #[test]
    fn terms_come_back(bytes in any::<[u8; BYTES]>()) {
        match Temperature::from_bytes(bytes) {
            Ok(terms) => prop_assert_eq!(terms.to_bytes(), bytes),
            Err(error) => {
                prop_assert_eq!(error, BitsError::Trailing);
                prop_assert!(bytes[BYTES - 1] & 15 != 0);
            }
        }
    }
}

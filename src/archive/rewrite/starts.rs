//! Where sources begin: there games do not follow the game before.

use crate::container::Source;

/// The begins of an archive's sources.
#[derive(Debug)]
pub(super) struct SourceStarts {
    /// Of each source, how many games and how many bytes of text stand before it.
    before: Vec<(u64, u64)>,
}

impl SourceStarts {
    pub(super) fn of(sources: &[Source]) -> SourceStarts {
        let mut next = (0u64, 0u64);
        let before = sources.iter().map(|source| {
            let before = next;
            next.0 = next.0.saturating_add(source.games);
            next.1 = next.1.saturating_add(source.bytes);
            before
        });
        SourceStarts {
            before: before.collect(),
        }
    }

    /// Whether a game stands behind another one in its source.
    pub(super) fn follows(&self, game: u64) -> bool {
        let behind = self.before.partition_point(|(games, _)| *games < game);
        let source = behind.checked_sub(1).and_then(|at| self.before.get(at));
        source.is_some_and(|(games, _)| game - games > 1)
    }

    /// Whether text at this place, which is no game, goes on with a game before it: it
    /// does unless it stands at the beginning of its source.
    pub(super) fn goes_on(&self, offset: u64, game: u64) -> bool {
        let behind = self.before.partition_point(|(_, bytes)| *bytes <= offset);
        let source = behind.checked_sub(1).and_then(|at| self.before.get(at));
        source.is_some_and(|(games, _)| game > *games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_follow_within_a_source() {
        let sources = [(10, 2), (5, 0), (0, 0), (7, 1)].map(|(bytes, games)| Source {
            name: String::new(),
            bytes,
            games,
            records: games,
            digest: [0; 32],
        });
        let starts = SourceStarts::of(&sources);
        assert_eq!(
            [1, 2, 3].map(|game| starts.follows(game)),
            [false, true, false]
        );
        // Behind two games: text of the first source, of the second, of the last.
        assert_eq!(
            [9, 10, 15].map(|offset| starts.goes_on(offset, 2)),
            [true, false, false]
        );
        assert!(starts.goes_on(16, 3));
        assert!(!starts.goes_on(0, 0));
    }
}

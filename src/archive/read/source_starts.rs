//! The starts of sources: the first game of a source does not follow the game before.

use crate::container::Source;

/// The starts of an archive's sources.
#[derive(Debug)]
pub(crate) struct SourceStarts {
    /// For each source, the number of games and of bytes of text before it.
    before: Vec<(u64, u64)>,
}

impl SourceStarts {
    pub(crate) fn of(sources: &[Source]) -> SourceStarts {
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

    /// Whether a game has a game before it in its source.
    pub(crate) fn follows(&self, game: u64) -> bool {
        let source_count = self.before.partition_point(|(games, _)| *games < game);
        let source = source_count
            .checked_sub(1)
            .and_then(|at| self.before.get(at));
        source.is_some_and(|(games, _)| game - games > 1)
    }

    /// Whether text at this offset that is no game continues the game before it. It
    /// does unless its source has no game before it.
    pub(crate) fn continues_game(&self, offset: u64, game: u64) -> bool {
        let source_count = self.before.partition_point(|(_, bytes)| *bytes <= offset);
        let source = source_count
            .checked_sub(1)
            .and_then(|at| self.before.get(at));
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
        // After two games: text of the first source, of the second, of the last.
        assert_eq!(
            [9, 10, 15].map(|offset| starts.continues_game(offset, 2)),
            [true, false, false]
        );
        assert!(starts.continues_game(16, 3));
        assert!(!starts.continues_game(0, 0));
    }
}

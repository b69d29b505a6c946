//! The legal moves of a position.

use super::{XiangqiMove, XiangqiPosition};

impl XiangqiPosition {
    /// The legal moves, by origin and then by target, for both sides. A move is
    /// legal if it does not leave a general of its side attacked.
    pub fn legal_moves(&self) -> Vec<XiangqiMove> {
        let own = self.pieces().filter(|(_, piece)| piece.side == self.turn());
        let mut moves: Vec<XiangqiMove> = own
            .flat_map(|(from, piece)| {
                let targets = self.targets(from, piece).into_iter();
                targets.map(move |to| XiangqiMove { from, to })
            })
            .filter(|played| !self.after(*played).is_attacked(self.turn()))
            .collect();
        moves.sort_unstable();
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::super::XiangqiPosition;
    use super::super::testing::position;

    fn perft(position: &XiangqiPosition, depth: u32) -> u64 {
        let moves = position.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let after = moves.into_iter().map(|played| position.after(played));
        after.map(|after| perft(&after, depth - 1)).sum()
    }

    #[test]
    fn games_from_the_start_are_as_many_as_known() {
        let start = XiangqiPosition::start();
        assert_eq!(
            [1, 2, 3].map(|depth| perft(&start, depth)),
            [44, 1920, 79_666]
        );
    }

    #[test]
    #[ignore = "takes some seconds"]
    fn games_of_four_plies_are_as_many_as_known() {
        assert_eq!(perft(&XiangqiPosition::start(), 4), 3_290_240);
    }

    #[test]
    fn pieces_move_as_the_rules_say() {
        for (fen, moves) in [
            // The general cannot leave the palace or face the other general.
            ("3k5/9/9/9/9/9/9/9/9/4K4", "e1e2 e1f1"),
            ("9/9/9/9/9/9/9/5K3/9/9", "f3e3 f3f2"),
            // Advisers have only five points.
            ("9/9/9/9/9/9/9/9/4A4/9", "e2d3 e2f3 e2d1 e2f1"),
            ("9/9/9/9/9/9/9/3A5/9/9", "d3e2"),
            // An elephant's eye, and the river.
            ("9/9/9/9/9/2B6/3p5/9/9/9", "c5a3"),
            ("9/9/9/9/2B6/9/9/9/9/9", "c6a4 c6e4"),
            // A horse's legs.
            ("9/9/9/9/9/9/9/9/9/N8", "a1b3 a1c2"),
            ("9/9/9/9/9/9/9/9/p8/N8", "a1c2"),
            ("9/9/9/9/9/9/9/1p7/9/Np7", "a1b3"),
            // A soldier moves forward, and beyond the river also sideways.
            ("9/9/9/9/9/4P4/9/9/9/9", "e5e6"),
            ("9/9/9/9/4P4/9/9/9/9/9", "e6e7 e6d6 e6f6"),
            ("P8/9/9/9/9/9/9/9/9/9", "a10b10"),
            ("9/9/9/9/4p4/9/9/9/9/9 b", "e6e5"),
            ("9/9/9/9/9/4p4/9/9/9/9 b", "e5d5 e5f5 e5e4"),
            ("9/9/9/9/9/9/9/9/9/8p b", "i1h1"),
        ] {
            let moves_found = position(fen).legal_moves();
            let found: Vec<String> = moves_found.iter().map(ToString::to_string).collect();
            assert_eq!(found.join(" "), moves, "{fen}");
        }
    }

    #[test]
    fn cannons_need_a_screen_to_capture() {
        let on_file = |fen| {
            let moves = position(fen).legal_moves();
            let found = moves.into_iter().filter(|played| played.to.file() == 0);
            found
                .map(|found| found.to.to_string())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(on_file("9/r8/9/p8/9/9/C8/9/9/9"), "a9 a6 a5 a3 a2 a1");
        assert_eq!(
            on_file("9/R8/9/p8/9/9/C8/9/9/9"),
            "a10 a8 a7 a6 a5 a3 a2 a1"
        );
        assert_eq!(on_file("r8/r8/9/P8/9/9/C8/9/9/9"), "a8 a9 a6 a5 a3 a2 a1");
        assert_eq!(on_file("9/9/9/p8/9/9/R8/9/9/9"), "a7 a6 a5 a3 a2 a1");
    }

    #[test]
    fn a_side_may_have_no_move() {
        for (fen, is_mate) in [
            ("3k5/3P5/3R5/9/9/9/9/9/9/4K4 b", true),
            ("3k5/9/3P5/9/9/9/9/9/9/4K4 b", false),
        ] {
            let position = position(fen);
            assert_eq!(position.legal_moves(), [], "{fen}");
            assert_eq!(position.is_attacked(position.turn()), is_mate, "{fen}");
        }
    }

    /// Boards that no game can reach have legal moves too, and do not panic.
    #[test]
    fn odd_positions_have_moves() {
        assert_eq!(position("9/9/9/9/9/9/9/9/9/9").legal_moves(), []);
        // The side that is not to move is in check, so its general can be
        // captured.
        let capture = position("3k5/3R5/9/9/9/9/9/9/9/4K4").legal_moves();
        assert!(capture.contains(&"d9d10".parse().expect("a move")));
        // The generals face each other. Only moves that end this are legal.
        let facing = position("4k4/9/9/9/9/9/9/9/9/4K4").legal_moves();
        assert_eq!(facing.len(), 2);
        let crowded = "CCCCCCCCC/".repeat(9) + "CCCCCCCCC";
        assert_eq!(position(&crowded).legal_moves(), []);
        let two_generals = position("r3k4/9/9/9/9/9/9/K8/9/3K5");
        assert!(two_generals.is_attacked(two_generals.turn()));
    }
}

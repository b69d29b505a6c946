use super::*;

const FEN: &str = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";

fn spelling(fen: &str) -> Option<FenSpelling> {
    let set_up = FenPosition::of(fen.as_bytes())?;
    assert_eq!(set_up.fen(), Ok(fen.as_bytes().to_vec()));
    Some(set_up.spelling)
}

#[test]
fn canonical_fens_become_start_positions() {
    for fen in [
        FEN,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1",
        "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 255 300",
        "k7/8/8/8/8/8/QQQQQQQQ/QK6 w - - 0 1",
        "8/8/8/8/8/8/8/8 b - - 0 65535",
    ] {
        assert_eq!(spelling(fen), Some(FenSpelling::XFen), "{fen}");
    }
    let shredder = "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 b GBgb - 2 17";
    assert_eq!(spelling(shredder), Some(FenSpelling::Shredder));
}

#[test]
fn other_fens_stay_text() {
    for fen in [
        "",
        "?",
        "4k3/8/8/8/8/8/4P3/4K3",
        "4k3/8/8/8/8/8/4P3/4K2R w K -",
        "4k3/8/8/8/8/8/4P3/4K3  w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 00 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 0",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 256 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 65536",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ",
        "4k3/8/8/8/8/8/4P3/4K3 w - e3 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3[Qp] w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4KQ~2 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 1+2 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQha - 0 1",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w KBkq - 0 9",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        assert_eq!(spelling(fen), None, "{fen}");
    }
    let latin_1 = [FEN.as_bytes(), b"\xe9"].concat();
    assert_eq!(FenPosition::of(&latin_1), None);
}

#[test]
fn start_numbers_round_trip() {
    let set_up = |spelling| FenPosition::new(spelling, Vec::new());
    let set_ups = [
        None,
        Some(set_up(FenSpelling::XFen)),
        Some(set_up(FenSpelling::Shredder)),
    ];
    let mut numbers = 0..;
    for set_up in &set_ups {
        for start in (0..Start::NUMBERS).filter_map(Start::from_number) {
            let number = start_number(start, set_up.as_ref());
            assert_eq!(numbers.next(), Some(number));
            let spelling = set_up.as_ref().map(|set_up| set_up.spelling);
            assert_eq!(read_start_number(number.into()), Ok((start, spelling)));
        }
    }
    for unknown in [96, 255, 256, u64::MAX] {
        assert!(read_start_number(unknown).is_err());
    }
}

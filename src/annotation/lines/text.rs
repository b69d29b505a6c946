//! The text of a line: `12. Nf3 Nc6 13. Bb5`, `Nf3 Nc6 Bb5`, `g1f3 b8c6 f1b5`.

use crate::chess::{ChessPosition, Color, PlyKind, Role, SanText, Spelling, Square};

/// The maximum number of moves of a line; further moves are coded as text.
pub const MAX_PLIES: usize = 1 << 10;

/// Placement of move numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Numbers {
    /// No move numbers.
    #[default]
    None = 0,
    /// Before White's moves, and before Black's if it comes first: `12. e4`,
    /// `12... e5`.
    Apart = 1,
    /// As `Apart`, without a space: `12.e4`, `12...e5`.
    Joined = 2,
    /// As `Apart`, but before White's moves only.
    WhiteApart = 3,
    /// As `Joined`, but before White's moves only.
    WhiteJoined = 4,
}

/// The notation of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Placement of move numbers.
    pub numbers: Numbers,
    /// Whether moves are given by their squares: `e2e4`, `e7e8q`.
    pub is_squares: bool,
    /// Deviations from standard SAN.
    pub spelling: Spelling,
}

impl Style {
    /// The size of an encoded style, in bits.
    pub const BITS: u32 = 16;

    /// The encoding of the style.
    pub fn to_number(self) -> u64 {
        let low = self.numbers as u8 | u8::from(self.is_squares) << 3;
        u64::from(self.spelling.to_byte()) << 8 | u64::from(low)
    }

    /// Decodes a style. Returns `None` if the number is not valid.
    pub fn from_number(number: u64) -> Option<Style> {
        let [low, spelling, ..] = number.to_le_bytes();
        let numbers = match low & 7 {
            0 => Numbers::None,
            1 => Numbers::Apart,
            2 => Numbers::Joined,
            3 => Numbers::WhiteApart,
            4 => Numbers::WhiteJoined,
            _ => return None,
        };
        (number < 1 << Self::BITS && low < 16).then_some(Style {
            numbers,
            is_squares: low & 8 != 0,
            spelling: Spelling::from_byte(spelling),
        })
    }
}

/// A line of moves as it appears in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextLine {
    /// Its notation.
    pub style: Style,
    /// Its moves, without null moves.
    pub plies: Vec<PlyKind>,
}

impl TextLine {
    /// Reads the longest line from `start` at the beginning of a text, and returns
    /// its length in bytes; `None` if there is none. The `usual` style is used
    /// unless another one covers more moves.
    pub fn read(text: &[u8], start: &ChessPosition, usual: Style) -> Option<(TextLine, usize)> {
        let words = Words { text, at: 0 };
        let is_squares = words.clone().next()?.squares().is_some();
        let mut numbers = Vec::new();
        let (mut plies, mut spellings) = (Vec::new(), Vec::new());
        let mut position = start.clone();
        for word in words.take(MAX_PLIES) {
            let played = match word.squares() {
                Some(ply) if is_squares => position.make(ply).ok().map(|()| (ply, 0)),
                _ if is_squares => None,
                _ => SanText::parse(word.text)
                    .and_then(|text| position.play_text(&text))
                    .map(|(ply, spelling)| (ply, spelling.to_byte())),
            };
            let Some((ply, spelling)) = played.filter(|(ply, _)| *ply != PlyKind::Null) else {
                break;
            };
            plies.push(ply);
            spellings.push(Spelling::from_byte(spelling));
            numbers.push(word.number);
        }
        let style = Style {
            numbers: numbers_of(&numbers),
            is_squares,
            spelling: Spelling::default_of(&spellings),
        };
        let as_usual = TextFit::of(&plies, usual, text, start);
        let is_whole = as_usual.plies == plies.len() || style == usual;
        let own = if is_whole {
            TextFit::default()
        } else {
            TextFit::of(&plies, style, text, start)
        };
        let (style, fit) = if own.plies > as_usual.plies {
            (style, own)
        } else {
            (usual, as_usual)
        };
        plies.truncate(fit.plies);
        (fit.plies > 0).then_some((TextLine { style, plies }, fit.bytes))
    }

    /// Appends the text of the line. Returns `None` if it cannot be played.
    pub fn write(&self, start: &ChessPosition, out: &mut Vec<u8>) -> Option<()> {
        let mut printer = Printer::new(self.style, start);
        self.plies
            .iter()
            .try_for_each(|ply| printer.print(*ply, out))
    }
}

/// The part of a line that matches the start of a text.
#[derive(Default)]
struct TextFit {
    plies: usize,
    bytes: usize,
}

impl TextFit {
    fn of(plies: &[PlyKind], style: Style, text: &[u8], start: &ChessPosition) -> TextFit {
        let (mut written, mut printer) = (Vec::new(), Printer::new(style, start));
        let mut fit = TextFit::default();
        for ply in plies {
            if printer.print(*ply, &mut written).is_none() || !text.starts_with(&written) {
                break;
            }
            fit.plies += 1;
            fit.bytes = written.len();
        }
        fit
    }
}

/// A word of a line.
struct TextWord<'a> {
    /// Whether a space follows the move number; `None` if there is no number.
    number: Option<bool>,
    text: &'a [u8],
}

impl TextWord<'_> {
    /// Parses a word such as `e2e4` or `e7e8q`.
    fn squares(&self) -> Option<PlyKind> {
        let (from, rest) = self.text.split_at_checked(2)?;
        let (to, promotion) = rest.split_at_checked(2)?;
        let promotion = match promotion {
            [] => None,
            [role] if role.is_ascii_lowercase() => Some(Role::from_char(char::from(*role))?),
            _ => return None,
        };
        Some(PlyKind::Move {
            from: Square::from_ascii(from).ok()?,
            to: Square::from_ascii(to).ok()?,
            promotion,
        })
    }
}

/// The words of a text, separated by single spaces.
#[derive(Clone)]
struct Words<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = TextWord<'a>;

    fn next(&mut self) -> Option<TextWord<'a>> {
        let rest = self.text.get(self.at..)?;
        let (number, text) = without_number(rest);
        let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+#=-@".contains(byte);
        let len = text.iter().take_while(is_inside).count();
        self.at += rest.len() - text.len() + len + 1;
        let text = text.get(..len).filter(|text| !text.is_empty())?;
        Some(TextWord { number, text })
    }
}

/// Strips a move number from the start of a text. The flag is whether a space
/// followed it.
fn without_number(text: &[u8]) -> (Option<bool>, &[u8]) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = text.iter().skip(digits).take_while(|byte| **byte == b'.');
    let dots = dots.count();
    match text.get(digits + dots..) {
        Some([b' ', rest @ ..]) if digits > 0 && dots > 0 => (Some(true), rest),
        Some(rest) if digits > 0 && dots > 0 => (Some(false), rest),
        _ => (None, text),
    }
}

/// The placement of the move numbers before the moves of a line.
fn numbers_of(numbers: &[Option<bool>]) -> Numbers {
    let is_first = numbers.first().is_some_and(Option::is_some);
    match numbers.iter().flatten().next() {
        None => Numbers::None,
        Some(true) if is_first => Numbers::Apart,
        Some(false) if is_first => Numbers::Joined,
        Some(true) => Numbers::WhiteApart,
        Some(false) => Numbers::WhiteJoined,
    }
}

/// Writes a line move by move.
struct Printer {
    style: Style,
    position: ChessPosition,
    is_first: bool,
}

impl Printer {
    fn new(style: Style, start: &ChessPosition) -> Self {
        Printer {
            style,
            position: start.clone(),
            is_first: true,
        }
    }

    /// Appends the next move. Returns `None` if it is not legal.
    fn print(&mut self, ply: PlyKind, out: &mut Vec<u8>) -> Option<()> {
        if !self.is_first {
            out.push(b' ');
        }
        self.print_number(out);
        self.is_first = false;
        match ply {
            PlyKind::Move {
                from,
                to,
                promotion,
            } if self.style.is_squares => {
                self.position.make(ply).ok()?;
                out.extend_from_slice(format!("{from}{to}").as_bytes());
                let role = promotion.map(|role| u8::try_from(role.char()).unwrap_or(b'?'));
                out.extend(role);
                Some(())
            }
            _ if self.style.is_squares => None,
            _ => self.position.write(ply, self.style.spelling, out).ok(),
        }
    }

    fn print_number(&self, out: &mut Vec<u8>) {
        let is_white = self.position.turn() == Color::White;
        let (with_first, blank) = match self.style.numbers {
            Numbers::None => return,
            Numbers::Apart => (true, " "),
            Numbers::Joined => (true, ""),
            Numbers::WhiteApart => (false, " "),
            Numbers::WhiteJoined => (false, ""),
        };
        let dots = match (is_white, self.is_first && with_first) {
            (true, _) => ".",
            (false, true) => "...",
            (false, false) => return,
        };
        let number = self.position.fullmoves();
        out.extend_from_slice(format!("{number}{dots}{blank}").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The style of the line at the start of a text, and the text after the line.
    fn read(text: &str, before: &str) -> (Style, String) {
        let mut start = ChessPosition::standard();
        for san in before.split_whitespace() {
            let text = SanText::parse(san.as_bytes()).expect("a move");
            start.play_text(&text).expect("legal");
        }
        let (line, bytes) =
            TextLine::read(text.as_bytes(), &start, Style::default()).unwrap_or_default();
        let mut written = Vec::new();
        line.write(&start, &mut written).expect("legal");
        let (read, rest) = text.split_at(bytes);
        assert_eq!(read.as_bytes(), written, "{text}");
        (line.style, rest.into())
    }

    #[test]
    fn lines_are_read_in_their_style() {
        let numbers = |text, before| {
            let (style, rest) = read(text, before);
            assert_eq!(rest, "", "{text}");
            style.numbers
        };
        assert_eq!(numbers("e4 e5 Nf3", ""), Numbers::None);
        assert_eq!(numbers("1. e4 e5 2. Nf3", ""), Numbers::Apart);
        assert_eq!(numbers("1... e5 2. Nf3", "e4"), Numbers::Apart);
        assert_eq!(numbers("1.e4 e5 2.Nf3", ""), Numbers::Joined);
        assert_eq!(numbers("1...e5 2.Nf3", "e4"), Numbers::Joined);
        assert_eq!(numbers("e5 2. Nf3", "e4"), Numbers::WhiteApart);
        assert_eq!(numbers("e5 2.Nf3 Nc6", "e4"), Numbers::WhiteJoined);
        let (style, rest) = read("e2e4 e7e5 e1e2", "");
        assert!(style.is_squares && rest.is_empty());
        let (style, rest) = read("b7a8q d8a8", "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6");
        assert!(style.is_squares && rest.is_empty());
        let (style, _) = read("Qh4", "f3 e5 g4");
        assert_eq!(style.spelling.to_byte(), Spelling::SUFFIX);
    }

    #[test]
    fn lines_end_where_they_cannot_be_written() {
        for (text, rest) in [
            ("e4 e5 Ke3", " Ke3"),
            ("e4  e5", "  e5"),
            ("1. e4 2. e5", " 2. e5"),
            ("1. e4 e5 3. Nf3", " 3. Nf3"),
            ("e4 e5 2. Nf3", " 2. Nf3"),
            ("Ngf3 e5", "Ngf3 e5"),
            ("e4 e5 Ngf3", " Ngf3"),
            ("e4 --", " --"),
            ("e4!", "!"),
            ("e2e4 e5", " e5"),
            ("e2e4 e7e5 e1g1", " e1g1"),
            ("", ""),
            ("12", "12"),
            ("1.", "1."),
        ] {
            assert_eq!(read(text, "").1, rest, "{text}");
        }
    }

    #[test]
    fn styles_have_numbers() {
        for number in 0..1 << 17 {
            if let Some(style) = Style::from_number(number) {
                assert_eq!(style.to_number(), number);
            }
        }
        assert_eq!(Style::from_number(5), None);
        assert_eq!(Style::from_number(16), None);
    }
}

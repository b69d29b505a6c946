//! Lists of coloured squares and arrows: `Ga1,Rb2` and `Ga1b2,Rc3d4`.

/// The list at the start of a text, up to the closing bracket, whose items have
/// `squares` squares each.
pub(super) fn at(text: &[u8], squares: usize) -> Option<&[u8]> {
    let is_of_list = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b',';
    let len = text.iter().take_while(is_of_list).count();
    let list = text.get(..len).filter(|_| text.get(len) == Some(&b']'))?;
    let mut items = list.split(|byte| *byte == b',');
    items
        .all(|item| read(item, squares).is_some())
        .then_some(list)
}

/// The colour and the squares of an item.
pub(super) fn read(item: &[u8], squares: usize) -> Option<(u8, [u8; 2])> {
    let (colour, names) = item.split_first()?;
    if names.len() != 2 * squares {
        return None;
    }
    let colour = colour
        .checked_sub(b'A')
        .filter(|colour| *colour < COLOURS)?;
    let mut numbers = [0; 2];
    for (number, name) in numbers.iter_mut().zip(names.chunks_exact(2)) {
        let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = name else {
            return None;
        };
        *number = (rank - b'1') * 8 + (file - b'a');
    }
    Some((colour, numbers))
}

/// The number of colours, one per capital letter.
pub(super) const COLOURS: u8 = 26;

/// Appends an item.
pub(super) fn write(colour: u8, squares: &[u8], out: &mut Vec<u8>) {
    out.push(b'A' + colour % COLOURS);
    for square in squares {
        out.extend_from_slice(&[b'a' + square % 8, b'1' + square / 8 % 8]);
    }
}

//! Names and descriptions of the codecs for users.

use super::Codec;

impl Codec {
    /// The form of the codec; empty if there is only one.
    pub fn form(self) -> &'static str {
        match self {
            Codec::Huffman | Codec::HuffmanIndex => "start written",
            Codec::HuffmanElided | Codec::HuffmanIndexElided => "start elided",
            Codec::Radix | Codec::RadixEnd | Codec::Squares | Codec::San | Codec::Model => "",
        }
    }

    /// A short description of the codec.
    pub fn description(self) -> &'static str {
        match self {
            Codec::Huffman | Codec::HuffmanElided => {
                "Huffman trees of the game's own pieces and squares"
            }
            Codec::HuffmanIndex | Codec::HuffmanIndexElided => {
                "The same, with numbers of targets instead of squares"
            }
            Codec::Radix => "Numbers of the legal moves, folded into one number",
            Codec::RadixEnd => "The same, with the end of the game in the bits",
            Codec::Squares => "From and to squares, 12 bits a ply",
            Codec::San => "Plain algebraic text",
            Codec::Model => "Probabilities that a trained model gives to the legal moves",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_a_scheme_are_one_title() {
        for codec in Codec::ALL {
            for form in Codec::forms_by_name(codec.name()) {
                assert_eq!(form.description(), codec.description());
            }
        }
    }
}

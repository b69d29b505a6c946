//! Names and descriptions of the codecs for users.

use super::{BuiltinModel, Codec};

impl Codec {
    /// The form of the codec; empty if there is only one.
    pub fn form(self) -> &'static str {
        match self {
            Codec::Huffman | Codec::HuffmanIndex => "start written",
            Codec::HuffmanElided | Codec::HuffmanIndexElided => "start elided",
            Codec::ModelFast | Codec::ModelDefault | Codec::ModelMax => {
                self.model().map_or("", BuiltinModel::level)
            }
            Codec::Radix | Codec::RadixEnd | Codec::Squares | Codec::San => "",
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
            Codec::ModelFast | Codec::ModelDefault | Codec::ModelMax => {
                "Probabilities that a trained model gives to the legal moves"
            }
        }
    }

    /// The name and, if there are several forms, the form: `huffman, start
    /// elided`.
    pub fn title(self) -> String {
        match self.form() {
            "" => self.name().to_owned(),
            form => format!("{}, {form}", self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn titles_distinguish_the_codecs() {
        let titles: HashSet<String> = Codec::ALL.into_iter().map(Codec::title).collect();
        assert_eq!(titles.len(), Codec::ALL.len());
    }

    #[test]
    fn the_forms_of_a_scheme_are_one_title() {
        for codec in Codec::ALL {
            for form in Codec::forms_by_name(codec.name()) {
                assert_eq!(form.description(), codec.description());
            }
        }
    }
}

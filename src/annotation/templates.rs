//! The templates of a segment.

use super::template::{CommentTemplate, FieldContent, TemplateError, tokens};
use crate::bits::ByteReader;
use foldhash::HashMap;

/// A segment has at most this many templates.
pub const MAX_TEMPLATES: usize = 4095;

/// The templates of a segment, by number and by key.
#[derive(Debug, Clone, Default)]
pub struct Templates {
    templates: Vec<CommentTemplate>,
    by_key: HashMap<Vec<u8>, u16>,
}

impl Templates {
    /// The templates, in the order of their numbers.
    pub(super) fn new(templates: Vec<CommentTemplate>) -> Self {
        let keys = templates.iter().map(CommentTemplate::key);
        Templates {
            by_key: keys.zip(0..).collect(),
            templates,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.templates.is_empty()
    }

    /// The number of templates.
    pub fn len(&self) -> usize {
        self.templates.len()
    }

    /// The template with this number.
    pub fn get(&self, number: u16) -> Option<&CommentTemplate> {
        self.templates.get(usize::from(number))
    }

    /// All templates, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &CommentTemplate> {
        self.templates.iter()
    }

    /// The number of the template that matches a text, and the values of its
    /// fields.
    pub fn find<'a>(&self, text: &'a [u8]) -> Option<(u16, Vec<FieldContent<'a>>)> {
        let (tokens, key) = tokens(text);
        let number = *self.by_key.get(&key?)?;
        let values = self.get(number)?.values(&tokens)?;
        Some((number, values))
    }

    /// Appends the encoded templates.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.templates
            .iter()
            .for_each(|template| template.write(out));
    }

    /// Decodes `count` templates.
    pub(super) fn read(input: &mut ByteReader<'_>, count: usize) -> Result<Self, TemplateError> {
        if count > MAX_TEMPLATES {
            return Err(TemplateError::Malformed);
        }
        let templates = (0..count).map(|_| CommentTemplate::read(input));
        Ok(Templates::new(templates.collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::learn::TemplateCounts;
    use super::*;
    use proptest::prelude::*;

    fn learned(texts: &[&str]) -> Templates {
        let mut counts = TemplateCounts::default();
        texts.iter().for_each(|text| counts.add(text.as_bytes()));
        counts.finish()
    }

    fn read_back(templates: &Templates) -> Templates {
        let mut bytes = Vec::new();
        templates.write(&mut bytes);
        let mut input = ByteReader::new(&bytes);
        let read = Templates::read(&mut input, templates.len()).unwrap();
        assert!(input.is_empty());
        read
    }

    #[test]
    fn texts_come_back_from_their_templates() {
        let texts = [
            " [%eval 0.17] [%clk 0:03:00] ",
            " [%eval -1.5] [%clk 0:02:59] ",
            " [%eval #-3] [%clk 10:02:59] ",
            " [%eval 0.0] [%clk 0:00:07.4] ",
            "+0.31/17 4.5s",
            "0.00/9 12s",
            "-M8/20 0.05s",
            "+M8/20 0.05s",
            "mb=+0-1+0",
            "mb=+1+0-4",
            "[%cal Ga1b2,Rc3d4] 12. Nf3 Nc6",
            "[%cal Ga1b2] 9... d4 10. O-O",
        ];
        let repeated = texts.repeat(9);
        let templates = read_back(&learned(&repeated));
        assert_eq!(templates.len(), 4);
        for text in texts {
            let (number, values) = templates.find(text.as_bytes()).expect(text);
            let printed = templates.get(number).unwrap().print(&values).unwrap();
            assert_eq!(printed, text.as_bytes());
        }
        for other in [
            " [%eval +0.17] [%clk 0:03:00] ",
            " [%eval 0] [%clk 0:03:00] ",
            "mb=0-1+0",
        ] {
            assert_eq!(templates.find(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn what_comes_once_has_no_template() {
        assert!(learned(&["Once upon a time, 3 kings", "A quiet move."]).is_empty());
        assert!(learned(&["with\0nul"; 99]).is_empty());
    }

    proptest! {
        #[test]
        fn any_text_comes_back_or_has_no_template(texts in proptest::collection::vec("[-+#M0-9:. a]{0,12}", 1..8)) {
            let repeated: Vec<&str> = texts.iter().map(String::as_str).collect();
            let templates = read_back(&learned(&repeated.repeat(20)));
            for text in &texts {
                if let Some((number, values)) = templates.find(text.as_bytes()) {
                    let printed = templates.get(number).unwrap().print(&values);
                    prop_assert_eq!(printed.as_deref(), Some(text.as_bytes()));
                }
            }
        }

        #[test]
        fn any_bytes_are_read_without_panic(bytes: Vec<u8>, count in 0usize..9) {
            let _ = Templates::read(&mut ByteReader::new(&bytes), count);
        }
    }
}

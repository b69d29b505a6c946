//! A page that is one file: its style and script are inside, and it loads nothing.

use super::text::Text;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style of all pages.
pub(super) const STYLE: &str = include_str!("page.css");

/// The script of a game.
pub(super) const SCRIPT: &str = include_str!("page.js");

// The hashes are constants, as the texts are, so that the program needs no SHA-256; a test computes
// them.
const STYLE_HASH: &str = "lnI0wm0Vf0z2pd/j1NDhYLH3Q6rFzlt3Wy7KRMWrMFY=";
const SCRIPT_HASH: &str = "L1dVvvksjR+3YGFGE1KC5l7Yw42WDe9f5uw/gSAs+IQ=";

/// A page with this title and body.
pub(super) fn page(title: &str, has_script: bool, body: &Markup) -> String {
    let script_source = match has_script {
        true => format!("'sha256-{SCRIPT_HASH}'"),
        false => "'none'".to_owned(),
    };
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{STYLE_HASH}'; script-src {script_source}; \
         img-src data:; base-uri 'none'; form-action 'none'"
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content="pgna";
                title { (Text(title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                @if has_script { script { (PreEscaped(SCRIPT)) } }
            }
        }
    };
    page.into_string() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_policy_has_the_hashes_of_style_and_script() {
        let hash = |text: &str| BASE64.encode(&Sha256::digest(text));
        assert_eq!(hash(STYLE), STYLE_HASH);
        assert_eq!(hash(SCRIPT), SCRIPT_HASH);
    }

    #[test]
    fn style_and_script_do_not_end_their_elements() {
        assert!(!STYLE.contains("</") && !SCRIPT.contains("</") && !SCRIPT.contains("<!--"));
    }
}

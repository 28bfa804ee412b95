//! What is not open yet: exercises that an instructor holds back until a date, or until they say a word. It keeps a class
//! together; it keeps nothing secret, as exercises and checks lie on the learner's disk.

use std::fmt::{self, Write};

use chrono::{DateTime, FixedOffset};
use sha2::{Digest, Sha256};

/// Of info.toml. Opens by whichever comes first; one of the two is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// Names.
    pub exercises: Vec<String>,
    pub opens: Option<DateTime<FixedOffset>>,
    pub word: Option<Seal>,
}

/// A word that can be recognised and not read: learners see info.toml. `SALT$SHA-256`, both in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    salt: String,
    digest: String,
}

impl Seal {
    /// `salt`: anything random.
    pub fn new(word: &str, salt: u64) -> Self {
        let salt = format!("{salt:016x}");
        Self {
            digest: digest(word, &salt),
            salt,
        }
    }

    /// `None` where the text is no seal.
    pub fn parse(text: &str) -> Option<Self> {
        let (salt, digest) = text.split_once('$')?;
        let is_hex = |text: &str, length| {
            text.len() == length && text.bytes().all(|b| b.is_ascii_hexdigit())
        };
        (is_hex(salt, 16) && is_hex(digest, 64)).then(|| Self {
            salt: salt.to_owned(),
            digest: digest.to_ascii_lowercase(),
        })
    }

    pub fn fits(&self, word: &str) -> bool {
        digest(word, &self.salt) == self.digest
    }
}

impl fmt::Display for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}${}", self.salt, self.digest)
    }
}

/// Words are said aloud: neither capitals nor the number of spaces count.
fn digest(word: &str, salt: &str) -> String {
    let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
    let bytes = Sha256::digest(format!("{salt} {}", word.to_lowercase()));
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

impl Gate {
    /// `now`: Unix seconds. `words`: that were said.
    pub fn is_open(&self, words: &[String], now: u64) -> bool {
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let by_date = self.opens.is_some_and(|opens| opens.timestamp() <= now);
        let seal = self.word.as_ref();
        by_date || seal.is_some_and(|seal| words.iter().any(|word| seal.fits(word)))
    }
}

impl fmt::Display for Gate {
    /// When it opens, or how: `it opens on 2026-10-01 at 00:00 UTC`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = "with the word that your instructor says: `asynclings open WORD`";
        match (&self.opens, &self.word) {
            (Some(opens), Some(_)) => write!(f, "it opens {}, or {word}", at(opens)),
            (Some(opens), None) => write!(f, "it opens {}", at(opens)),
            (None, _) => write!(f, "it opens {word}"),
        }
    }
}

fn at(opens: &DateTime<FixedOffset>) -> String {
    let zone = match opens.offset().local_minus_utc() {
        0 => "UTC".to_owned(),
        _ => opens.offset().to_string(),
    };
    format!("on {} {zone}", opens.format("%Y-%m-%d at %H:%M"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(opens: Option<&str>, word: Option<&str>) -> Gate {
        Gate {
            exercises: vec!["one".to_owned()],
            opens: opens.map(|opens| DateTime::parse_from_rfc3339(opens).unwrap()),
            word: word.map(|word| Seal::new(word, 7)),
        }
    }

    #[test]
    fn a_word_fits_however_it_is_typed_and_cannot_be_read_back() {
        let seal = Seal::new("Brown  Fox", 7);
        for (word, fits) in [
            ("brown fox", true),
            (" BROWN FOX ", true),
            ("brownfox", false),
            ("", false),
        ] {
            assert_eq!(seal.fits(word), fits, "{word}");
        }
        let text = seal.to_string();
        assert!(!text.to_lowercase().contains("fox"));
        assert_eq!(Seal::parse(&text), Some(seal));
        assert_ne!(text, Seal::new("brown fox", 8).to_string());
        for text in ["brown fox", "$", "0123456789abcdef$00", "x$y", ""] {
            assert_eq!(Seal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_gate_opens_on_the_second_or_with_its_word() {
        let both = gate(Some("2026-10-01T00:00:00+02:00"), Some("fox"));
        let on_time = both.opens.unwrap().timestamp() as u64;
        assert!(!both.is_open(&[], on_time - 1));
        assert!(both.is_open(&[], on_time));
        assert!(both.is_open(&["cat".to_owned(), "Fox".to_owned()], 0));
        assert!(!gate(None, Some("fox")).is_open(&[], u64::MAX));
    }

    #[test]
    fn it_says_when_and_how_it_opens() {
        let said = |opens, word| gate(opens, word).to_string();
        let date = Some("2026-10-01T00:00:00+02:00");
        assert_eq!(said(date, None), "it opens on 2026-10-01 at 00:00 +02:00");
        assert_eq!(
            said(Some("2026-10-01T08:30:00Z"), Some("fox")),
            "it opens on 2026-10-01 at 08:30 UTC, or with the word that your instructor says: `asynclings open WORD`"
        );
        assert_eq!(
            said(None, Some("fox")),
            "it opens with the word that your instructor says: `asynclings open WORD`"
        );
    }
}

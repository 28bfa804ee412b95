//! What becomes of a file when a workbook is brought to a newer version. Texts only.

/// What a file was, is, and shall be.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'a> {
    /// As it lies in the workbook. `None`: it is not there.
    pub now: Option<&'a [u8]>,
    /// As the version shipped it that wrote it. `None`: not known.
    pub shipped: Option<&'a [u8]>,
    /// As this version ships it.
    pub new: &'a [u8],
    /// Whether the learner is to write in it.
    pub learners: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is as it shall be.
    Same,
    New,
    /// Nobody had touched it.
    Renewed,
    /// It is not the learner's, and was edited all the same: a copy is kept.
    Replaced,
    /// The learner's text stays, and the exercise has changed.
    Kept,
    /// The learner's text stays, and the exercise has not changed.
    KeptInSilence,
}

pub fn fate(texts: Texts<'_>) -> Fate {
    let Texts {
        now,
        shipped,
        new,
        learners,
    } = texts;
    match now {
        None => Fate::New,
        Some(now) if now == new => Fate::Same,
        Some(now) if shipped == Some(now) => Fate::Renewed,
        Some(_) if !learners => Fate::Replaced,
        Some(_) if shipped == Some(new) => Fate::KeptInSilence,
        Some(_) => Fate::Kept,
    }
}

/// Whether one version (`0.2.0`) is later than another. What is no version is none.
pub fn is_newer(one: &str, other: &str) -> bool {
    let numbers = |version: &str| -> Option<Vec<u64>> {
        version.split('.').map(|part| part.parse().ok()).collect()
    };
    match (numbers(one), numbers(other)) {
        (Some(one), Some(other)) => one > other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_learner_wrote_stays_and_what_nobody_touched_is_renewed() {
        let (old, mine, new) = (Some(&b"old"[..]), Some(&b"mine"[..]), &b"new"[..]);
        for (now, shipped, learners, expected) in [
            (None, old, true, Fate::New),
            (Some(new), old, true, Fate::Same),
            (old, old, true, Fate::Renewed),
            (mine, old, true, Fate::Kept),
            (mine, None, true, Fate::Kept),
            (mine, Some(new), true, Fate::KeptInSilence),
            (mine, old, false, Fate::Replaced),
            (mine, None, false, Fate::Replaced),
        ] {
            let texts = Texts {
                now,
                shipped,
                new,
                learners,
            };
            assert_eq!(fate(texts), expected, "{texts:?}");
        }
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(is_newer("0.10.0", "0.9.1"));
        assert!(!is_newer("0.1.0", "0.1.0"));
        assert!(!is_newer("", "0.1.0"));
        assert!(!is_newer("garbage", "0.1.0"));
    }
}

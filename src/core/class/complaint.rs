//! What is wrong with a file that somebody handed to `grade` or `merge`.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {text}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct Complaint {
    pub file: String,
    /// Counted from 1.
    pub line: Option<u64>,
    pub text: String,
}

impl Complaint {
    pub(super) fn new(file: &str, line: impl Into<Option<u64>>, text: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: line.into(),
            text: text.into(),
        }
    }
}

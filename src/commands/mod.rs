//! One file a command; wiring only.

use crate::cli::Request;
use crate::exit::Outcome;

/// Carries out a request.
pub fn dispatch(_request: Request) -> anyhow::Result<Outcome> {
    Ok(Outcome::Passed)
}

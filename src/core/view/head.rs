//! The head of watch mode's screen: which exercise this is, where it stands, and how far the learner has come.

use super::paint::{Look, Tone, columns};
use crate::core::manifest::Exercise;
use crate::core::session::Session;

pub(super) fn header(session: &Session, look: &Look) -> Vec<String> {
    let Some(exercise) = session.exercise() else {
        return vec!["asynclings".to_owned()];
    };
    let name = &exercise.name;
    let whole = format!("{name} · {}", exercise.title);
    let bar = progress(session, look);
    let first = [whole.as_str(), name.as_str()]
        .iter()
        .find_map(|left| beside(left, &look.paint(Tone::Strong, left), &bar, look));
    let first = first.unwrap_or_else(|| format!("{}  {bar}", look.paint(Tone::Strong, name)));

    let file = session.file();
    let place = look.paint(Tone::Note, &look.link(file, file));
    let minutes = format!("{} min", exercise.minutes);
    let chapter = format!("{} · {minutes}", chapter(session, exercise));
    let second = [chapter, minutes]
        .iter()
        .find_map(|right| beside(file, &place, right, look))
        .unwrap_or(place);
    vec![first, second]
}

/// Over the exercises there are: all of them, or those of the track.
fn progress(session: &Session, look: &Look) -> String {
    let (done, total) = session.score();
    let wide = if look.width < 100 { 10 } else { 20 };
    let filled = done * wide / total.max(1);
    format!(
        "[{}{}] {done} of {total} done",
        "#".repeat(filled),
        "-".repeat(wide - filled)
    )
}

pub(super) fn chapter<'s>(session: &'s Session, exercise: &Exercise) -> &'s str {
    session
        .manifest
        .chapter(&exercise.chapter)
        .map_or("", |chapter| chapter.title.as_str())
}

/// One at the left edge and one at the right, where there is room for both. `painted` is `left`, dressed.
fn beside(left: &str, painted: &str, right: &str, look: &Look) -> Option<String> {
    let gap = look.width.checked_sub(columns(left) + columns(right))?;
    (gap >= 2).then(|| format!("{painted}{}{right}", " ".repeat(gap)))
}

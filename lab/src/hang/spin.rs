//! Several stacks of one spinning thread to the line of the loop: the innermost function of the learner's that is
//! in all of them, at the line that it is seen at most.

use crate::record::Place;
use crate::trail::{self, Frame};

pub(super) fn loop_place(stacks: &[Vec<Frame>]) -> Option<Place> {
    let seen: Vec<Vec<(String, Place)>> = stacks
        .iter()
        .map(|stack| own_functions(stack))
        .filter(|stack| !stack.is_empty())
        .collect();
    let (function, _) = seen.first()?.iter().find(|(function, _)| {
        seen.iter()
            .all(|stack| stack.iter().any(|(other, _)| other == function))
    })?;
    let places: Vec<&Place> = seen
        .iter()
        .filter_map(|stack| stack.iter().find(|(other, _)| other == function))
        .map(|(_, place)| place)
        .collect();
    let often = |place: &Place| {
        places
            .iter()
            .filter(|other| other.line == place.line)
            .count()
    };
    places
        .iter()
        .max_by_key(|place| often(place))
        .map(|place| (*place).clone())
}

/// Innermost first.
fn own_functions(stack: &[Frame]) -> Vec<(String, Place)> {
    let places = trail::subject_places(stack);
    stack
        .iter()
        .filter_map(|frame| {
            Some((
                frame.function().to_owned(),
                frame.place().filter(Place::in_subject)?,
            ))
        })
        .map(|(function, place)| {
            let named = places
                .iter()
                .find(|named| named.line == place.line)
                .cloned();
            (function, named.unwrap_or(place))
        })
        .collect()
}

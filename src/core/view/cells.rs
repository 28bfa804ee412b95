//! Cells of ratatui's as rows of text: the terminal has one way to be drawn, and colour one place where it is chosen.

use anstyle::{AnsiColor, Color as Ink, Effects};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};
use unicode_width::UnicodeWidthStr;

use super::paint::{Colour, Look, Tone};

/// The same dress as `Look::paint` gives.
pub(super) fn dress(tone: Tone) -> Style {
    match tone {
        Tone::Good => Style::new().fg(Color::Green).bold(),
        Tone::Bad => Style::new().fg(Color::Red).bold(),
        Tone::Note => Style::new().fg(Color::Cyan),
        Tone::Quiet => Style::new().dim(),
        Tone::Strong => Style::new().bold(),
        Tone::Keyword => Style::new().fg(Color::Magenta),
        Tone::Literal => Style::new().fg(Color::Green),
    }
}

pub(super) fn rows(buffer: &Buffer, look: &Look) -> Vec<String> {
    let area = buffer.area;
    (area.top()..area.bottom())
        .map(|y| row(buffer, y, look))
        .collect()
}

fn row(buffer: &Buffer, y: u16, look: &Look) -> String {
    let mut row = String::new();
    let mut run = (anstyle::Style::new(), String::new());
    let mut x = buffer.area.left();
    while x < buffer.area.right() {
        let cell = &buffer[(x, y)];
        let style = match look.colour {
            Colour::Ansi => ansi(cell.fg, cell.modifier),
            Colour::None => anstyle::Style::new(),
        };
        if style != run.0 {
            end(&mut row, &run);
            run = (style, String::new());
        }
        run.1.push_str(cell.symbol());
        // What a wide character covers holds no text of its own.
        x += u16::try_from(cell.symbol().width()).map_or(1, |width| width.max(1));
    }
    if run.0 == anstyle::Style::new() {
        run.1.truncate(run.1.trim_end().len());
    }
    end(&mut row, &run);
    row
}

fn end(row: &mut String, (style, text): &(anstyle::Style, String)) {
    if text.is_empty() || *style == anstyle::Style::new() {
        row.push_str(text);
    } else {
        row.push_str(&format!("{style}{text}{style:#}"));
    }
}

/// The sixteen colours alone: the table uses no other.
fn ansi(colour: Color, modifier: Modifier) -> anstyle::Style {
    let ink = match colour {
        Color::Green => Some(AnsiColor::Green),
        Color::Red => Some(AnsiColor::Red),
        Color::Cyan => Some(AnsiColor::Cyan),
        Color::Magenta => Some(AnsiColor::Magenta),
        _ => None,
    };
    let mut effects = Effects::new();
    for (wanted, effect) in [
        (Modifier::BOLD, Effects::BOLD),
        (Modifier::DIM, Effects::DIMMED),
        (Modifier::REVERSED, Effects::INVERT),
    ] {
        if modifier.contains(wanted) {
            effects |= effect;
        }
    }
    anstyle::Style::new()
        .fg_color(ink.map(Ink::Ansi))
        .effects(effects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    fn drawn(colour: Colour) -> Vec<String> {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 2));
        buffer.set_string(0, 0, "店 ok", dress(Tone::Good));
        buffer.set_string(0, 1, "plain", Style::new());
        let look = Look {
            width: 10,
            colour,
            links: None,
            program: "asynclings",
        };
        rows(&buffer, &look)
    }

    #[test]
    fn without_colour_the_text_is_all_there_is() {
        assert_eq!(drawn(Colour::None), ["店 ok", "plain"]);
    }

    #[test]
    fn a_style_is_sent_once_and_ended() {
        assert_eq!(
            drawn(Colour::Ansi),
            ["\x1b[1m\x1b[32m店 ok\x1b[0m", "plain"]
        );
    }
}

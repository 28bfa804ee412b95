//! Dates of TOML as moments.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveTime, TimeDelta};
use toml::de::DeValue;
use toml::value::{Datetime, Offset};

use super::fields::{Complaints, Fields};

/// What a date without a time means.
#[derive(Debug, Clone, Copy)]
pub(in crate::core) enum OfItsDay {
    First,
    Last,
}

/// Without an offset it is UTC: a workbook that travels means the same moment everywhere. `None`: absent, or complained about.
pub(in crate::core) fn moment(
    fields: &Fields,
    key: &str,
    of_its_day: OfItsDay,
    complaints: &mut Complaints,
) -> Option<DateTime<FixedOffset>> {
    let when = match fields.value(key)?.get_ref() {
        DeValue::Datetime(when) => read(when, of_its_day),
        _ => None,
    };
    when.or_else(|| {
        let what = "must be a date without quotes, `2026-10-09` or `2026-10-09T18:00:00+02:00`";
        fields.wrong(key, what, complaints)
    })
}

/// `None`: a time alone, or no day of the calendar.
fn read(when: &Datetime, of_its_day: OfItsDay) -> Option<DateTime<FixedOffset>> {
    let date = when.date?;
    let date = NaiveDate::from_ymd_opt(date.year.into(), date.month.into(), date.day.into())?;
    let local = match (when.time, of_its_day) {
        (Some(time), _) => {
            let second = time.second.unwrap_or(0).into();
            date.and_time(NaiveTime::from_hms_opt(
                time.hour.into(),
                time.minute.into(),
                second,
            )?)
        }
        (None, OfItsDay::First) => date.and_time(NaiveTime::MIN),
        (None, OfItsDay::Last) => {
            date.and_time(NaiveTime::MIN) + TimeDelta::days(1) - TimeDelta::seconds(1)
        }
    };
    let minutes = match when.offset {
        Some(Offset::Custom { minutes }) => minutes,
        Some(Offset::Z) | None => 0,
    };
    let offset = FixedOffset::east_opt(i32::from(minutes) * 60)?;
    local.and_local_timezone(offset).single()
}

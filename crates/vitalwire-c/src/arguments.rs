//! Checks of arguments. Setters return nothing: the first invalid argument is kept and reported by the call.

use std::mem::MaybeUninit;

use vitalwire::Error;
use vitalwire::client::ArrayStyle;
use vitalwire::value::{Base64, Date, Timestamp};

use crate::array_style::vitalwire_array_style;
use crate::borrow;
use crate::guard::catch;
use crate::handles::{self, Handle};
use crate::value::{vitalwire_date, vitalwire_str, vitalwire_timestamp};

/// Keeps the name of the first invalid argument and the rule that it breaks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Arguments {
    invalid: Option<(&'static str, &'static str)>,
}

impl Arguments {
    /// Records an invalid argument, unless there is one already.
    pub(crate) fn reject(&mut self, name: &'static str, reason: &'static str) {
        self.invalid.get_or_insert((name, reason));
    }

    /// Fails if an argument was invalid.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.invalid.map_or(Ok(()), |(name, reason)| Err(Error::invalid_argument(name, reason)))
    }

    /// Returns a handle; `None` if it is invalid.
    pub(crate) fn handle<H: Handle>(&mut self, name: &'static str, handle: Option<H>) -> Option<H> {
        handles::check(handle).unwrap_or_else(|invalid| {
            self.reject(name, invalid.reason());
            None
        })
    }

    /// Returns a text. An invalid text becomes an empty one, which is never sent.
    pub(crate) fn text<'a>(&mut self, name: &'static str, text: &'a vitalwire_str) -> &'a str {
        text.read().unwrap_or_else(|reason| {
            self.reject(name, reason);
            ""
        })
    }

    /// Returns a text; `None` if `data` is NULL.
    pub(crate) fn optional_text<'a>(&mut self, name: &'static str, text: &'a vitalwire_str) -> Option<&'a str> {
        (!text.data.is_null()).then(|| self.text(name, text))
    }

    /// Copies bytes.
    pub(crate) fn bytes(&mut self, name: &'static str, data: *const u8, length: usize) -> Base64 {
        Base64::from(self.slice(name, &data, length))
    }

    /// Returns bytes without copying them.
    pub(crate) fn slice<'a>(&mut self, name: &'static str, data: &'a *const u8, length: usize) -> &'a [u8] {
        borrow::read(data, *data, length).unwrap_or_else(|reason| {
            self.reject(name, reason);
            &[]
        })
    }

    /// Converts an instant.
    pub(crate) fn timestamp(&mut self, name: &'static str, value: vitalwire_timestamp) -> Timestamp {
        Timestamp::from_unix(value.seconds, value.nanoseconds).unwrap_or_else(|| {
            self.reject(name, "must be an instant with nanoseconds up to 999,999,999 and a year up to 9999");
            Timestamp::default()
        })
    }

    /// Converts an array style. An unknown one becomes the default, which is never sent.
    pub(crate) fn array_style(&mut self, name: &'static str, style: MaybeUninit<vitalwire_array_style>) -> ArrayStyle {
        const REPEATED: u8 = vitalwire_array_style::VITALWIRE_ARRAY_STYLE_REPEATED as u8;
        const COMMA: u8 = vitalwire_array_style::VITALWIRE_ARRAY_STYLE_COMMA as u8;
        match borrow::enum_number(style) {
            REPEATED => ArrayStyle::Repeated,
            COMMA => ArrayStyle::Comma,
            _ => {
                self.reject(name, "must be a constant of vitalwire_array_style");
                ArrayStyle::default()
            }
        }
    }

    pub(crate) fn date(&mut self, name: &'static str, value: vitalwire_date) -> Date {
        let parts = i8::try_from(value.month).ok().zip(i8::try_from(value.day).ok());
        parts.and_then(|(month, day)| Date::new(value.year, month, day)).unwrap_or_else(|| {
            self.reject(name, "must be a day of the calendar");
            Date::default()
        })
    }
}

/// An object with setters: a value, and the first invalid argument.
pub(crate) trait Settings {
    /// The type of the value.
    type Value;

    /// Borrows both parts.
    fn parts(&mut self) -> (&mut Self::Value, &mut Arguments);
}

/// Runs a setter. Does nothing for a NULL object: the function that uses the object reports it.
pub(crate) fn set<S: Settings + 'static>(settings: Option<&mut S>, change: impl FnOnce(&mut S::Value, &mut Arguments)) {
    let Some(settings) = handles::valid(settings) else { return };
    catch(|| {
        let (value, arguments) = settings.parts();
        change(value, arguments);
    });
}

/// Takes the settings of a builder, which can only be freed afterwards.
pub(crate) fn take_settings<B, V>(builder: &mut B) -> Result<V, Error>
where
    B: Settings<Value = Option<V>>,
{
    let (settings, arguments) = builder.parts();
    arguments.check()?;
    settings.take().ok_or_else(|| Error::invalid_argument("builder", "was already built; create a new builder"))
}

//! Checks of arguments. Setters return nothing: the first invalid argument is kept and reported by the call.

use vitalwire::Error;
use vitalwire::value::{Base64, Date, Timestamp};

use crate::borrow;
use crate::guard::catch;
use crate::kind::{self, Handle};
use crate::value::{vitalwire_date, vitalwire_str, vitalwire_timestamp};

/// Keeps the name of the first invalid argument and the rule that it breaks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Given {
    mistake: Option<(&'static str, &'static str)>,
}

impl Given {
    /// Records an invalid argument, unless there is one already.
    pub(crate) fn refuse(&mut self, name: &'static str, reason: &'static str) {
        self.mistake.get_or_insert((name, reason));
    }

    /// Fails if an argument was invalid.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.mistake.map_or(Ok(()), |(name, reason)| Err(Error::invalid_argument(name, reason)))
    }

    /// Returns a handle; `None` if it is invalid.
    pub(crate) fn handle<H: Handle>(&mut self, name: &'static str, handle: Option<H>) -> Option<H> {
        kind::checked(handle).unwrap_or_else(|stranger| {
            self.refuse(name, stranger.reason());
            None
        })
    }

    /// Returns a text. An invalid text becomes an empty one, which is never sent.
    pub(crate) fn text<'a>(&mut self, name: &'static str, text: &'a vitalwire_str) -> &'a str {
        text.read().unwrap_or_else(|reason| {
            self.refuse(name, reason);
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
            self.refuse(name, reason);
            &[]
        })
    }

    /// Converts an instant.
    pub(crate) fn timestamp(&mut self, name: &'static str, given: vitalwire_timestamp) -> Timestamp {
        Timestamp::from_unix(given.seconds, given.nanoseconds).unwrap_or_else(|| {
            self.refuse(name, "it is no instant: nanoseconds go to 999,999,999, years to 9999");
            Timestamp::default()
        })
    }

    /// Converts a date.
    pub(crate) fn date(&mut self, name: &'static str, given: vitalwire_date) -> Date {
        let parts = i8::try_from(given.month).ok().zip(i8::try_from(given.day).ok());
        parts.and_then(|(month, day)| Date::new(given.year, month, day)).unwrap_or_else(|| {
            self.refuse(name, "there is no such day");
            Date::default()
        })
    }
}

/// An object with setters: a value, and the first invalid argument.
pub(crate) trait Settings {
    /// The type of the value.
    type Value;

    /// Borrows both parts.
    fn parts(&mut self) -> (&mut Self::Value, &mut Given);
}

/// Runs a setter. Does nothing for a NULL object: the function that uses the object reports it.
pub(crate) fn set<S: Settings + 'static>(settings: Option<&mut S>, change: impl FnOnce(&mut S::Value, &mut Given)) {
    let Some(settings) = kind::known(settings) else { return };
    catch(|| {
        let (value, given) = settings.parts();
        change(value, given);
    });
}

/// Takes the settings of a builder, which can only be freed afterwards.
pub(crate) fn built<B, V>(builder: &mut B) -> Result<V, Error>
where
    B: Settings<Value = Option<V>>,
{
    let (settings, given) = builder.parts();
    given.check()?;
    settings.take().ok_or_else(|| Error::invalid_argument("builder", "its settings were taken by an earlier build"))
}

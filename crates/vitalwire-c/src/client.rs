//! The client and its builder.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::mem::MaybeUninit;

use vitalwire::Client;
use vitalwire::client::{ClientBuilder, CloseMode};

use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::given::{Given, Settings, built, set};
use crate::guard::{catch, handle, present};
use crate::kind::{self, owned};
use crate::outcome::attempt;
use crate::started::endings::Endings;
use crate::view;

/// A client of the service: connections, tokens and settings. Any number of threads may make calls with one at the same time.
pub struct vitalwire_client {
    pub(crate) core: Client,
    /// Where its calls go that were started and have ended.
    pub(crate) endings: Endings,
}

impl From<Client> for vitalwire_client {
    fn from(core: Client) -> Self {
        Self { core, endings: Endings::default() }
    }
}

/// The settings of a client. There is no default base URL; a service without one can stay unused.
pub struct vitalwire_client_builder {
    /// `None` once a client was made from it.
    settings: Option<ClientBuilder>,
    given: Given,
}

impl Settings for vitalwire_client_builder {
    type Value = Option<ClientBuilder>;

    fn parts(&mut self) -> (&mut Option<ClientBuilder>, &mut Given) {
        (&mut self.settings, &mut self.given)
    }
}

/// Carries out a setter of the core, which takes its settings by value.
pub(crate) fn with(builder: Option<&mut vitalwire_client_builder>, change: impl FnOnce(ClientBuilder, &mut Given) -> ClientBuilder) {
    set(builder, |settings, given| *settings = settings.take().map(|settings| change(settings, given)));
}

/// Makes a builder with the defaults. Proxies are taken from the environment.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_new() -> Option<Box<vitalwire_client_builder>> {
    catch(|| owned(vitalwire_client_builder { settings: Some(ClientBuilder::new()), given: Given::default() }))
}

/// Makes a builder with the settings of the VITALWIRE_* environment variables; what is unset or empty keeps its default.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_from_env(
    out: Option<&mut MaybeUninit<Box<vitalwire_client_builder>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        out.write(owned(vitalwire_client_builder { settings: Some(ClientBuilder::from_env()?), given: Given::default() }));
        Ok(())
    })
}

/// Frees a builder, also one that a client was made from; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_free(builder: Option<Box<vitalwire_client_builder>>) {
    view::free(builder);
}

/// Checks all settings and makes the client; nothing is sent. It takes the settings: the builder can only be freed after it, also
/// where it fails.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_build(
    builder: Option<&mut vitalwire_client_builder>,
    out: Option<&mut MaybeUninit<Box<vitalwire_client>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let builder = handle(builder, "builder")?;
        let out = present(out, "out")?;
        out.write(owned(built(builder)?.build()?.into()));
        Ok(())
    })
}

/// Makes a client from the VITALWIRE_* environment variables.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_from_env(
    out: Option<&mut MaybeUninit<Box<vitalwire_client>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        out.write(owned(Client::from_env()?.into()));
        Ok(())
    })
}

/// Closes a client; NULL is allowed. Later calls end with VITALWIRE_ERROR_CLOSED, and connections that no call uses are closed. Calls
/// on their way go on to their end; with `abort_calls` they end now, with the same code. May be used from any thread, more than once.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_close(client: Option<&vitalwire_client>, abort_calls: bool) {
    let Some(client) = kind::known(client) else { return };
    catch(|| client.core.close(if abort_calls { CloseMode::Abort } else { CloseMode::Finish }));
}

/// Frees a client when no thread uses it any more; NULL is allowed. Results stay valid. Calls that were started go on; completions that
/// wait for vitalwire_client_dispatch, or would, then never run: what they were given ends by its destructor, at the latest when their calls do.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_free(client: Option<Box<vitalwire_client>>) {
    let Some(client) = kind::known(client) else { return };
    catch(|| client.endings.here().close());
    view::free(Some(client));
}

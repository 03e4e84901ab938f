//! The client and its builder.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;

use vitalwire::Client;
use vitalwire::client::{ClientBuilder, CloseMode};

use crate::arguments::{Arguments, Settings, set, take_settings};
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{catch, handle, present};
use crate::handles::{self, owned};
use crate::outcome::attempt;
use crate::pending_calls::completion_queue::CompletionQueues;
use crate::view;

/// A client of the service. It holds connections, tokens and settings. Thread-safe: any number of threads may make calls at the same time.
pub struct vitalwire_client {
    pub(crate) core: Client,
    /// Queue of started calls that have ended.
    pub(crate) completions: CompletionQueues,
}

impl From<Client> for vitalwire_client {
    fn from(core: Client) -> Self {
        Self { core, completions: CompletionQueues::default() }
    }
}

/// Settings of a client. There is no default base URL; a service that is not used needs none. Not thread-safe.
pub struct vitalwire_client_builder {
    /// `None` after `build`.
    settings: Option<ClientBuilder>,
    arguments: Arguments,
}

impl Settings for vitalwire_client_builder {
    type Value = Option<ClientBuilder>;

    fn parts(&mut self) -> (&mut Option<ClientBuilder>, &mut Arguments) {
        (&mut self.settings, &mut self.arguments)
    }
}

/// Applies a setter of the core, which takes the settings by value.
pub(crate) fn with(builder: Option<&mut vitalwire_client_builder>, change: impl FnOnce(ClientBuilder, &mut Arguments) -> ClientBuilder) {
    set(builder, |settings, arguments| *settings = settings.take().map(|settings| change(settings, arguments)));
}

/// Creates a builder with default settings. Proxies are read from the environment. Free it with vitalwire_client_builder_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_new() -> Option<Box<vitalwire_client_builder>> {
    catch(|| owned(vitalwire_client_builder { settings: Some(ClientBuilder::new()), arguments: Arguments::default() }))
}

/// Creates a builder with the settings of the VITALWIRE_* environment variables. Variables that are unset or empty keep the default.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_from_env(
    out: Option<&mut MaybeUninit<Box<vitalwire_client_builder>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        out.write(owned(vitalwire_client_builder { settings: Some(ClientBuilder::from_env()?), arguments: Arguments::default() }));
        Ok(())
    })
}

/// Frees a builder, also after vitalwire_client_builder_build. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_free(builder: Option<Box<vitalwire_client_builder>>) {
    view::free(builder);
}

/// Checks all settings and creates a client. Sends nothing. Consumes the settings, even on failure: afterwards, only free the builder.
/// Fails with VITALWIRE_ERROR_INVALID_ARGUMENT for an argument that a setter rejected. Free the client with vitalwire_client_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_build(
    builder: Option<&mut vitalwire_client_builder>,
    out: Option<&mut MaybeUninit<Box<vitalwire_client>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let builder = handle(builder, "builder")?;
        let out = present(out, "out")?;
        out.write(owned(take_settings(builder)?.build()?.into()));
        Ok(())
    })
}

/// Creates a client from the VITALWIRE_* environment variables. Free it with vitalwire_client_free.
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

/// Closes a client and its idle connections. New calls fail with VITALWIRE_ERROR_CLOSED. Calls in flight complete, or fail now
/// with the same code if `abort_calls` is true. Thread-safe and idempotent. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_close(client: Option<&vitalwire_client>, abort_calls: bool) {
    let Some(client) = handles::valid(client) else { return };
    catch(|| client.core.close(if abort_calls { CloseMode::Abort } else { CloseMode::Drain }));
}

/// Frees a client. No other thread may use it any more. Results stay valid and started calls continue.
///
/// Completions that vitalwire_client_dispatch has not run yet never run. Their destructors run at the latest when the calls end. NULL is
/// allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_free(client: Option<Box<vitalwire_client>>) {
    let Some(client) = handles::valid(client) else { return };
    catch(|| client.completions.current().close());
    view::free(Some(client));
}

//! Parameters of syncs.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::sync::Arc;

use vitalwire::Error;
use vitalwire::range::DateRange;
use vitalwire_sync::{RecordKind, SyncCall, SyncEvent, SyncKey};

use crate::arguments::{Arguments, Settings, set};
use crate::generated::types::{vitalwire_lab_report_webhook, vitalwire_nutrition_webhook, vitalwire_webhook_event};
use crate::guard::{self, catch};
use crate::handles::owned;
use crate::value::{vitalwire_date, vitalwire_str};
use crate::view;

/// Parameters of a sync. Add at least one kind. Calls only read them, so they can be reused.
#[derive(Clone)]
pub struct vitalwire_sync_params {
    value: SyncParams,
    arguments: Arguments,
}

/// Parameters that were set.
#[derive(Clone)]
pub struct SyncParams {
    /// `None` if the secret or the user is invalid.
    key: Option<SyncKey>,
    kinds: Vec<RecordKind>,
    /// Setters of the core, in the order of their calls.
    setters: Vec<Arc<dyn Fn(SyncCall) -> SyncCall + Send + Sync>>,
}

impl Settings for vitalwire_sync_params {
    type Value = SyncParams;

    fn parts(&mut self) -> (&mut SyncParams, &mut Arguments) {
        (&mut self.value, &mut self.arguments)
    }
}

impl SyncParams {
    fn with(&mut self, setter: impl Fn(SyncCall) -> SyncCall + Send + Sync + 'static) {
        self.setters.push(Arc::new(setter));
    }

    fn add_event(&mut self, event: Option<SyncEvent>) {
        if let Some(event) = event {
            self.with(move |call| call.event(event.clone()));
        }
    }
}

impl vitalwire_sync_params {
    /// Returns kinds, key and setters of a call, or the first invalid argument.
    pub(super) fn checked(&self) -> Result<(Vec<RecordKind>, SyncKey, impl Fn(SyncCall) -> SyncCall), Error> {
        self.arguments.check()?;
        let key = self.value.key.clone().ok_or_else(|| Error::internal("the key of a sync is missing"))?;
        Ok((self.value.kinds.clone(), key, move |call| self.value.setters.iter().fold(call, |call, setter| setter(call))))
    }
}

/// Returns the kind with this name.
pub(crate) fn read_kind(arguments: &mut Arguments, argument: &'static str, name: &vitalwire_str) -> Option<RecordKind> {
    match arguments.text(argument, name).parse::<RecordKind>() {
        Ok(kind) => Some(kind),
        Err(error) => {
            arguments.reject(argument, error.reason().unwrap_or("must be a kind of records"));
            None
        }
    }
}

/// Creates parameters. `user` is your own id of the user. `secret`, of `length` bytes, is the key of the digests in states: at least 16
/// random bytes that you store apart from the states. Use the same user and secret for all states of a copy. States contain neither.
///
/// The secret is copied, and overwritten in memory when it is no longer used. Free the parameters with vitalwire_sync_params_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_new(user: vitalwire_str, secret: *const u8, length: usize) -> Option<Box<vitalwire_sync_params>> {
    catch(|| {
        let mut arguments = Arguments::default();
        let user = arguments.text("user", &user);
        let key = SyncKey::new(arguments.slice("secret", &secret, length), user).map_err(|error| {
            let name = if error.argument() == Some("user") { "user" } else { "secret" };
            arguments.reject(name, error.reason().unwrap_or("is invalid"));
        });
        owned(vitalwire_sync_params { value: SyncParams { key: key.ok(), kinds: Vec::new(), setters: Vec::new() }, arguments })
    })
}

/// Adds a kind of records, one of VITALWIRE_RECORD_KIND_*.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_add_kind(params: Option<&mut vitalwire_sync_params>, kind: vitalwire_str) {
    set(params, |params, arguments| params.kinds.extend(read_kind(arguments, "kind", &kind)));
}

/// Sets the state of the last sync, of `length` bytes, which are copied. NULL makes this a first sync. Defaults to a first sync.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_set_state(params: Option<&mut vitalwire_sync_params>, state: *const u8, length: usize) {
    set(params, |params, arguments| {
        let state = (!state.is_null()).then(|| arguments.slice("state", &state, length).to_vec());
        params.with(move |call| call.state_or_first(state.clone()));
    });
}

/// Sets the first day of the copy. An earlier day than in the last sync adds the days in between. A later day has no effect.
/// Defaults to the first day of the last sync, and to 365 days ago for the first sync.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_set_from(params: Option<&mut vitalwire_sync_params>, from: vitalwire_date) {
    set(params, |params, arguments| {
        let first = arguments.date("from", from);
        params.with(move |call| call.from(first));
    });
}

/// Sets the look-back: the number of days up to the last requested day that are requested again, because providers deliver late and correct
/// values. Must be from 1 to 3,660. Defaults to 7.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_set_look_back(params: Option<&mut vitalwire_sync_params>, days: u32) {
    set(params, |params, _| params.with(move |call| call.look_back(days)));
}

/// Sets whether to request the user's information first. It shows whether the token belongs to the user of the state, and whether the user
/// has connected a provider, which can add data to any day. Without it, the token of any user is accepted. Defaults to true.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_set_check_account(params: Option<&mut vitalwire_sync_params>, yes: bool) {
    set(params, |params, _| params.with(move |call| call.check_account(yes)));
}

/// Sets the id of the user at the service. If the token belongs to another user, the sync fails before it reads records. Defaults to any
/// user for a first sync, and to the user of the state for later ones.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_set_expect_account(params: Option<&mut vitalwire_sync_params>, id: vitalwire_str) {
    set(params, |params, arguments| {
        let id = arguments.text("expect_account", &id).to_owned();
        params.with(move |call| call.expect_account(id.clone()));
    });
}

/// Sets the name of the service in states, for a service whose base URL changes. Defaults to the base URL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_set_service_name(params: Option<&mut vitalwire_sync_params>, name: vitalwire_str) {
    set(params, |params, arguments| {
        let name = arguments.text("service_name", &name).to_owned();
        params.with(move |call| call.service_name(name.clone()));
    });
}

/// Adds days of a kind, from `first` to `last`, whose records may have changed. The sync requests them, too.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_add_event(
    params: Option<&mut vitalwire_sync_params>,
    kind: vitalwire_str,
    first: vitalwire_date,
    last: vitalwire_date,
) {
    set(params, |params, arguments| {
        let kind = read_kind(arguments, "event", &kind);
        let days = DateRange::new(arguments.date("first", first), arguments.date("last", last));
        match days {
            Ok(days) => params.add_event(kind.map(|kind| SyncEvent::new([kind], days))),
            Err(error) => arguments.reject("last", error.reason().unwrap_or("must not be before the first day")),
        }
    });
}

/// Adds the days of a webhook about changed records, for statistics and sleeps. A webhook without times adds none. A sync skips webhooks about
/// other users. If all webhooks are about other users, the sync fails with kind `invalid_argument`. If the sync returns no part, add the
/// webhook to the next one, too.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_add_webhook_event(
    params: Option<&mut vitalwire_sync_params>,
    event: Option<&vitalwire_webhook_event>,
) {
    set(params, |params, arguments| params.add_event(arguments.handle("event", event).and_then(SyncEvent::from_webhook)));
}

/// Adds the days of a webhook about a nutrition record, like vitalwire_sync_params_add_webhook_event.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_add_nutrition_webhook(
    params: Option<&mut vitalwire_sync_params>,
    webhook: Option<&vitalwire_nutrition_webhook>,
) {
    set(params, |params, arguments| params.add_event(arguments.handle("webhook", webhook).and_then(SyncEvent::from_nutrition)));
}

/// Adds the days of a webhook about a lab report, like vitalwire_sync_params_add_webhook_event.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_add_lab_report_webhook(
    params: Option<&mut vitalwire_sync_params>,
    webhook: Option<&vitalwire_lab_report_webhook>,
) {
    set(params, |params, arguments| params.add_event(arguments.handle("webhook", webhook).and_then(SyncEvent::from_lab_report)));
}

/// Copies parameters. Returns NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_clone(params: Option<&vitalwire_sync_params>) -> Option<Box<vitalwire_sync_params>> {
    guard::clone_object(params)
}

/// Frees parameters. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_params_free(params: Option<Box<vitalwire_sync_params>>) {
    view::free(params);
}

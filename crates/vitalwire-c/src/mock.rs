//! Mock responses, for tests.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;
use std::time::Duration;

use vitalwire::mock::{MockResponse, MockResponses, samples};

use crate::arguments::{Arguments, set};
use crate::client::vitalwire_client_builder;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{catch, handle, present};
use crate::handles::{self, owned};
use crate::outcome::attempt;
use crate::value::{vitalwire_json, vitalwire_str};
use crate::view;

/// Mock responses for a client, by operation. Each attempt takes the next response of its operation; the last response repeats.
/// Thread-safe.
pub struct vitalwire_mock_responses(pub(crate) MockResponses);

/// Creates an empty set of mock responses. Calls without a response fail with an error that names the operation.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_mock_responses_new() -> Option<Box<vitalwire_mock_responses>> {
    catch(|| owned(vitalwire_mock_responses(MockResponses::new())))
}

/// Creates a set with a synthetic response to every operation, about invented people. Free it with vitalwire_mock_responses_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_mock_responses_samples() -> Option<Box<vitalwire_mock_responses>> {
    catch(|| owned(vitalwire_mock_responses(samples())))
}

/// Reads the exchanges that `vitalwire record` wrote into a folder. Each request takes the next exchange with the same method, path and
/// query.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_mock_responses_from_folder(
    folder: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_mock_responses>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        let mut arguments = Arguments::default();
        let folder = arguments.text("folder", &folder);
        arguments.check()?;
        out.write(owned(vitalwire_mock_responses(MockResponses::from_folder(folder)?)));
        Ok(())
    })
}

/// Adds a response to an operation such as "get_sleep": a status and a JSON body of `length` bytes at `body`, which may be NULL.
/// Status 0 simulates a connection failure. The delay counts against the deadlines of the call.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_mock_responses_add(
    responses: Option<&vitalwire_mock_responses>,
    operation: vitalwire_str,
    status: u16,
    body: *const u8,
    length: usize,
    delay_ms: u64,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let responses = handle(responses, "responses")?;
        let mut arguments = Arguments::default();
        let operation = arguments.text("operation", &operation);
        let response = if body.is_null() {
            MockResponse::status(status)
        } else {
            MockResponse::json(arguments.slice("body", &body, length).to_vec()).with_status(status)
        };
        arguments.check()?;
        responses.0.add(operation, response.delay(Duration::from_millis(delay_ms)));
        Ok(())
    })
}

/// Returns the requests so far, one for each attempt: a JSON list of objects with `operation`, `http_method`, `path`, `query` (a list of
/// pairs) and `body` (text). Free it with vitalwire_json_free. Returns NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_mock_responses_requests(responses: Option<&vitalwire_mock_responses>) -> Option<Box<vitalwire_json>> {
    let responses = handles::valid(responses)?;
    catch(|| {
        let requests = responses.0.requests();
        let list = requests.iter().map(|it| {
            serde_json::json!({
                "operation": it.operation,
                "http_method": it.http_method,
                "path": it.path,
                "query": it.query,
                "body": String::from_utf8_lossy(&it.body),
            })
        });
        owned(vitalwire_json(serde_json::Value::from_iter(list).to_string()))
    })
}

/// Frees mock responses. Clients that use them keep them alive. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_mock_responses_free(responses: Option<Box<vitalwire_mock_responses>>) {
    view::free(responses);
}

/// Sets mock responses for every call. No service is called. Base URLs and tokens that are not set get placeholders.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_mock_responses(
    builder: Option<&mut vitalwire_client_builder>,
    responses: Option<&vitalwire_mock_responses>,
) {
    set(builder, |settings, arguments| {
        if let Some(responses) = arguments.handle("responses", responses) {
            *settings = settings.take().map(|settings| settings.mock_responses(&responses.0));
        }
    });
}

//! Answers from memory, for tests.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::mem::MaybeUninit;
use std::time::Duration;

use vitalwire::answers::{Answer, Answers, samples};

use crate::client::vitalwire_client_builder;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::given::{Given, set};
use crate::guard::{catch, handle, present};
use crate::kind::{self, owned};
use crate::outcome::attempt;
use crate::value::{vitalwire_json, vitalwire_str};
use crate::view;

/// What a client answers instead of calling a service. The answers of an operation are given in turn, one to each attempt; the last one
/// stays. May be used by many threads at the same time.
pub struct vitalwire_answers(pub(crate) Answers);

/// Makes answers without any: every call is then an error that names its operation.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_answers_new() -> Option<Box<vitalwire_answers>> {
    catch(|| owned(vitalwire_answers(Answers::new())))
}

/// Makes answers that have a synthetic one for every operation. Nobody in them exists.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_answers_samples() -> Option<Box<vitalwire_answers>> {
    catch(|| owned(vitalwire_answers(samples())))
}

/// Makes answers of the exchanges that `vitalwire record` wrote into a folder, by path and query, in turn.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_answers_from_folder(
    folder: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_answers>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        let mut given = Given::default();
        let folder = given.text("folder", &folder);
        given.check()?;
        out.write(owned(vitalwire_answers(Answers::from_folder(folder)?)));
        Ok(())
    })
}

/// Adds the next answer of an operation, such as "get_sleep": a status and a JSON body of `length` bytes at `body`, which may be NULL.
/// Status 0 makes no connection. The delay counts against the deadlines of the call.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_answers_add(
    answers: Option<&vitalwire_answers>,
    operation: vitalwire_str,
    status: u16,
    body: *const u8,
    length: usize,
    delay_ms: u64,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let answers = handle(answers, "answers")?;
        let mut given = Given::default();
        let operation = given.text("operation", &operation);
        let answer = if body.is_null() {
            Answer::status(status)
        } else {
            Answer::json(given.slice("body", &body, length).to_vec()).with_status(status)
        };
        given.check()?;
        answers.0.add(operation, answer.after(Duration::from_millis(delay_ms)));
        Ok(())
    })
}

/// What was requested so far, attempt by attempt, as a JSON list of objects with `operation`, `http_method`, `path`, `query` (a list of pairs)
/// and `body` (text); free it with vitalwire_json_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_answers_requested(answers: Option<&vitalwire_answers>) -> Option<Box<vitalwire_json>> {
    let answers = kind::known(answers)?;
    catch(|| {
        let requested = answers.0.requested();
        let list = requested.iter().map(|it| {
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

/// Frees answers; clients that were given them keep them. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_answers_free(answers: Option<Box<vitalwire_answers>>) {
    view::free(answers);
}

/// Answers every call from memory; no service is called. Base URLs and tokens that are not set are made up.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_client_builder_set_answers(
    builder: Option<&mut vitalwire_client_builder>,
    answers: Option<&vitalwire_answers>,
) {
    set(builder, |settings, given| {
        if let Some(answers) = given.handle("answers", answers) {
            *settings = settings.take().map(|settings| settings.answers(&answers.0));
        }
    });
}

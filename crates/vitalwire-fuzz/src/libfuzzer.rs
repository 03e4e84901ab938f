//! libFuzzer entry points and options.

#![allow(unsafe_code, missing_docs, unreachable_pub, reason = "made by the engine's macros")]

use std::sync::LazyLock;

use fastrand::Rng;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use vitalwire_fuzz::{Target, mutate};

/// Environment variable that selects the target.
const VARIABLE: &str = "VITALWIRE_FUZZ_TARGET";

static TARGET: LazyLock<&'static Target> = LazyLock::new(|| {
    let name = std::env::var(VARIABLE).unwrap_or_default();
    vitalwire_fuzz::target(&name).unwrap_or_else(|| panic!("{VARIABLE} names no target: `{name}`"))
});

fuzz_target!(init: { LazyLock::force(&TARGET); }, |data: &[u8]| {
    (TARGET.run)(data);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut rng = Rng::with_seed(seed.into());
    if !TARGET.reads_json() || rng.u8(..4) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let input = data.get(..size).unwrap_or_default();
    let schema = TARGET.schema(rng.usize(..1024));
    let output = mutate::mutate(&mut rng, input, schema.as_ref());
    match data.get_mut(..output.len()).filter(|_| output.len() <= max_size) {
        Some(place) => place.copy_from_slice(&output),
        None => return fuzzer_mutate(data, size, max_size),
    }
    output.len()
});

//! `vitalwire-fuzz`: lists the targets without arguments; `vitalwire-fuzz TARGET FILE..` replays files.
//!
//! When built for fuzzing, libFuzzer parses the arguments, so the target comes from the environment.

#![cfg_attr(fuzzing, no_main)]
#![allow(clippy::panic, clippy::print_stdout, reason = "a program for people who test")]

#[cfg(fuzzing)]
mod libfuzzer;

/// Replays files, or lists the targets.
#[cfg(not(fuzzing))]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        vitalwire_fuzz::targets().for_each(|target| println!("{}", target.name));
        return;
    };
    let Some(target) = vitalwire_fuzz::target(&name) else { panic!("there is no target `{name}`") };
    for file in arguments {
        let input = std::fs::read(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        (target.run)(&input);
        println!("{file}: nothing found");
    }
}

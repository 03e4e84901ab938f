//! Runs every target on its seeds and on some mutations of them. libFuzzer does the same for longer.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use vitalwire_fuzz::openapi::OPENAPI;
use vitalwire_fuzz::{Target, generate, mutate, targets};

/// Number of mutations per target.
const MUTATIONS: u64 = 1_500;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Returns the seeds of a target. A JSON target without a corpus starts from a generated value of each of its schemas.
fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = corpus().join(target.name);
    if !folder.exists() && !target.schemas.is_empty() {
        let mut rng = Rng::with_seed(0);
        let schemas = target.schemas.iter().map(|name| &OPENAPI.schemas[*name]);
        return schemas.map(|schema| generate::valid(&mut rng, schema, 0).write().into_bytes()).collect();
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no seed", target.name);
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// Runs a target. A failure names the seed or the mutation number, which reproduces the input.
fn run(target: &Target, input: &[u8], what: &str) {
    if std::panic::catch_unwind(|| (target.run)(input)).is_err() {
        let shown = String::from_utf8_lossy(input).into_owned();
        panic!("{}, {what}: {shown}", target.name);
    }
}

#[test]
fn every_target_accepts_its_seeds_and_mutations() {
    std::thread::scope(|scope| {
        for target in targets() {
            scope.spawn(|| {
                let seeds = seeds(target);
                for (at, seed) in seeds.iter().enumerate() {
                    run(target, seed, &format!("seed {at}"));
                }
                let mut last = seeds[0].clone();
                for number in 0..MUTATIONS {
                    let mut rng = Rng::with_seed(number);
                    // Mutations are chained to get further from the seed. Start again from a seed now and then.
                    if number % 8 == 0 || last.len() > 16 * 1024 {
                        last.clone_from(&seeds[rng.usize(..seeds.len())]);
                    }
                    let schema = target.schema(rng.usize(..1024));
                    last = if target.reads_json() && rng.u8(..4) > 0 {
                        mutate::mutate(&mut rng, &last, schema.as_ref())
                    } else {
                        mutate::bytes(&mut rng, last)
                    };
                    run(target, &last, &format!("mutation {number}"));
                }
            });
        }
    });
}

#[test]
fn every_corpus_belongs_to_a_target() {
    let folders: BTreeSet<String> =
        std::fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let known: BTreeSet<String> = targets().map(|target| target.name.to_owned()).collect();
    assert!(folders.is_subset(&known), "no target: {:?}", folders.difference(&known));
    for schema in targets().flat_map(|target| target.schemas) {
        assert!(OPENAPI.schemas.contains_key(*schema), "{schema}");
    }
}

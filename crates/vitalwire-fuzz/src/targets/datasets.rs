//! Targets for datasets from other people: manifests, and part files whose checksums match. No file beside the dataset may change.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use vitalwire_cohort::CohortError;
use vitalwire_cohort::dataset::Dataset;

use super::memory_folder;
use crate::oracle::text::check_text;

const MANIFEST: &[u8] = include_bytes!("../../corpus/manifests/dataset.json");
const BLOCK: &[u8] = include_bytes!("../../corpus/blocks/block.json");
const PART: &[u8] = include_bytes!("../../corpus/parts/part.parquet");

/// Path of the only part file.
const PART_NAME: &str = "table=daily/month=2025-11/part-00000.parquet";

/// Opens a dataset with this manifest.
pub fn manifests(input: &[u8]) {
    Study::new(input, BLOCK, PART).check(input.len());
}

/// Opens a dataset with this manifest of its block, and of an interrupted write.
pub fn blocks(input: &[u8]) {
    let study = Study::new(MANIFEST, input, PART);
    fs::write(study.path("_manifest/next-00000.json"), input).expect("a file");
    study.check(input.len());
}

/// Opens a dataset with this part file, whose size and checksum are in the manifest.
pub fn parts(input: &[u8]) {
    let mut block: serde_json::Value = serde_json::from_slice(BLOCK).expect("a manifest");
    let file = &mut block["tables"]["daily"]["files"]["2025-11"];
    file["bytes"] = input.len().into();
    file["sha256"] = Sha256::digest(input).iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
    Study::new(MANIFEST, block.to_string().as_bytes(), input).check(input.len());
}

/// A dataset beside a file of somebody else.
struct Study(TempDir);

impl Study {
    fn new(manifest: &[u8], block: &[u8], part: &[u8]) -> Self {
        let study = Self(memory_folder());
        for (name, content) in [
            ("_manifest/dataset.json", manifest),
            ("_manifest/block-00000.json", block),
            (PART_NAME, part),
            ("../part-00000.parquet", PART),
        ] {
            let path = study.path(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, content).expect("a file");
        }
        study
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("study").join(name)
    }

    /// Reads, repairs and changes the dataset.
    fn check(&self, size: usize) {
        let root = self.path("");
        for result in [read(&root), Dataset::remove_user(&root, "person-1").map(drop), Dataset::repair(&root).map(drop), read(&root)] {
            if let Err(error) = result {
                let text = error.to_string().replace(&root.display().to_string(), "").replace("os error", "");
                check_text(&text.replace(['=', '`'], " "), size.max(100_000));
            }
        }
        assert_eq!(fs::read(self.path("../part-00000.parquet")).expect("a file"), PART, "a file beside the dataset was changed");
        assert_eq!(fs::read_dir(self.0.path()).expect("a folder").count(), 2, "a file beside the dataset was created");
    }
}

fn read(root: &Path) -> Result<(), CohortError> {
    let dataset = Dataset::open(root)?;
    dataset.verify()?;
    dataset.failures()?;
    for rows in dataset.coverage()? {
        assert!(rows.days_without_data() < Some(u32::MAX));
    }
    Ok(())
}

//! All targets of the generator. They make files from the IR and do not write to the disk.

use crate::conformance::Runner;
use crate::file::File;
use crate::ir::Ir;
use crate::ir::features::Language;
use crate::spec::Sources;
use crate::templates::Templates;
use crate::{c, cpp, kotlin, python, resolved, rust, sandbox, swift, uniffi};

/// Returns all files of stage 1.
///
/// # Errors
/// If progenitor rejects the specification, or a template value is missing.
pub fn all(ir: &Ir, sources: &Sources) -> anyhow::Result<Vec<File>> {
    let mut files = rust::emit(ir, sources, "vitalwire")?;
    files.extend(rust::core_tests::emit(ir));
    files.push(rust::fuzz::emit(ir));
    files.push(rust::bench::emit(ir));
    files.extend(rust::cohort::emit(ir)?);
    files.extend(c::emit(ir)?);
    files.extend(cpp::emit(ir)?);
    files.extend(uniffi::emit(ir)?);
    files.extend(kotlin::emit(ir)?);
    files.extend(swift::emit(ir)?);
    files.extend(python::emit(ir)?);
    for language in Language::ALL {
        let ir = &ir.for_language(language);
        files.extend(runner(language, &Runner::new(ir))?);
    }
    files.extend(sandbox::emit(ir, sources)?);
    files.extend(resolved::emit(ir, sources)?);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Returns the files of a language's conformance runner. Those of C include the runner in C++.
fn runner(language: Language, runner: &Runner<'_>) -> anyhow::Result<Vec<File>> {
    match language {
        Language::Rust => rust::conformance::emit(runner),
        Language::Python => python::conformance::emit(runner),
        Language::Swift => swift::conformance::emit(runner),
        Language::Kotlin => kotlin::conformance::emit(runner),
        Language::C => Ok([c::conformance::emit(runner)?, cpp::conformance::emit(runner)?].concat()),
    }
}

/// Returns the templates of a target's folder.
pub fn templates(folder: &str) -> &'static Templates {
    match folder {
        "c" => &c::filters::TEMPLATES,
        "cpp" => &cpp::filters::TEMPLATES,
        "kotlin" => &kotlin::filters::TEMPLATES,
        "python" => &python::filters::TEMPLATES,
        "swift" => &swift::filters::TEMPLATES,
        "uniffi" => &uniffi::convert::TEMPLATES,
        _ => &rust::filters::TEMPLATES,
    }
}

//! Users with their credentials.

use std::path::{Path, PathBuf};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use vitalwire::Error;
use vitalwire_cohort::{Credential, KeySource, UserCredentials as Core};
use zeroize::Zeroizing;

use super::arguments;
use crate::errors;
use crate::generated::docs;

#[doc = docs!(UserCredentials)]
#[pyclass(frozen, module = "vitalwire.cohort")]
pub(crate) struct UserCredentials {
    pub(super) core: Core,
    source: Source,
}

/// Source of the credentials, for pickles.
#[derive(Clone)]
enum Source {
    File(PathBuf),
    Key(i64, KeySource),
    Tokens,
}

#[pymethods]
impl UserCredentials {
    #[doc = docs!(UserCredentials.from_file)]
    #[classmethod]
    fn from_file(cls: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Self> {
        let py = cls.py();
        let path = absolute(&path)?;
        let core = py.detach(|| Core::from_file(&path)).map_err(|error| super::raise(py, "path", error))?;
        Ok(Self { core, source: Source::File(path) })
    }

    #[doc = docs!(UserCredentials.from_application_key)]
    #[classmethod]
    #[pyo3(signature = (ids, *, application_id, key_env=None, key_file=None))]
    fn from_application_key(
        cls: &Bound<'_, PyType>,
        ids: &Bound<'_, PyAny>,
        application_id: i64,
        key_env: Option<&Bound<'_, PyAny>>,
        key_file: Option<PathBuf>,
    ) -> PyResult<Self> {
        Self::restore(cls, ids, application_id, key_env, key_file)
    }

    #[doc = docs!(UserCredentials._restore)]
    #[classmethod]
    #[pyo3(name = "_restore", signature = (ids, application_id, key_env, key_file))]
    fn restore(
        cls: &Bound<'_, PyType>,
        ids: &Bound<'_, PyAny>,
        application_id: i64,
        key_env: Option<&Bound<'_, PyAny>>,
        key_file: Option<PathBuf>,
    ) -> PyResult<Self> {
        let py = cls.py();
        // A key that was entered in place of the name must not be quoted.
        let key_env = key_env.map(|name| crate::arguments::extract::<String>(name, "key_env")).transpose()?;
        let key = match (key_env, key_file) {
            (Some(name), None) => KeySource::Environment(name),
            (None, Some(path)) => KeySource::File(absolute(&path)?),
            _ => return Err(PyTypeError::new_err("exactly one of the arguments 'key_env' and 'key_file' must be set")),
        };
        let core = Core::from_application_key(arguments::texts("ids", ids)?, application_id, key.clone());
        Ok(Self { core: core.map_err(|error| errors::raise(py, error))?, source: Source::Key(application_id, key) })
    }

    #[doc = docs!(UserCredentials.from_tokens)]
    #[classmethod]
    fn from_tokens(cls: &Bound<'_, PyType>, tokens: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = cls.py();
        let tokens: Bound<'_, PyDict> = py.get_type::<PyDict>().call1((tokens,))?.cast_into()?;
        let users = tokens.iter().map(|(id, token)| {
            let (id, token): (String, String) = (crate::arguments::extract(&id, "tokens")?, crate::arguments::extract(&token, "tokens")?);
            Ok((id, Credential::Token(Zeroizing::new(token))))
        });
        let core = Core::new(users.collect::<PyResult<Vec<_>>>()?).map_err(|error: Error| errors::raise(py, error))?;
        Ok(Self { core, source: Source::Tokens })
    }

    #[doc = docs!(UserCredentials.ids)]
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.core.ids())
    }

    #[doc = docs!(UserCredentials.check)]
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.core.check()).map_err(|error| super::raise(py, "credentials", error))
    }

    #[doc = docs!(UserCredentials._only)]
    fn _only(&self, ids: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ids = arguments::texts("ids", ids)?;
        Ok(Self { core: self.core.only(ids.iter().map(String::as_str)), source: self.source.clone() })
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __repr__(&self) -> String {
        format!("<vitalwire.cohort.UserCredentials: {} users>", self.core.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Self>();
        let (name, arguments) = match &self.source {
            Source::File(path) => ("from_file", (path_text(path)?,).into_pyobject(py)?),
            Source::Key(id, KeySource::Environment(name)) => ("_restore", (self.ids(py)?, id, name, None::<&str>).into_pyobject(py)?),
            Source::Key(id, KeySource::File(path)) => ("_restore", (self.ids(py)?, id, None::<&str>, path_text(path)?).into_pyobject(py)?),
            Source::Tokens => {
                return Err(PyTypeError::new_err(
                    "credentials with tokens cannot be pickled, because a pickle must not contain a token; use UserCredentials.from_file \
                     or UserCredentials.from_application_key",
                ));
            }
        };
        Ok((class.getattr(name)?, arguments))
    }

    #[doc = docs!(UserCredentials.__dask_tokenize__)]
    fn __dask_tokenize__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (function, arguments) = self.__reduce__(py)?;
        Ok(("vitalwire.cohort.UserCredentials", function.getattr("__name__")?, arguments).into_pyobject(py)?.into_any())
    }
}

fn absolute(path: &Path) -> PyResult<PathBuf> {
    Ok(std::path::absolute(path)?)
}

fn path_text(path: &Path) -> PyResult<&str> {
    path.to_str().ok_or_else(|| PyTypeError::new_err("a path that is not Unicode cannot be pickled"))
}

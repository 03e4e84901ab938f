//! CSV files of users.

use std::path::Path;

use csv::{Position, ReaderBuilder, StringRecord, Trim};
use zeroize::Zeroizing;

use super::credential::read_file;
use super::{Credential, KeySource, UserCredentials};
use crate::USER;
use crate::error::CohortError;

/// Error reason if a line has no complete credential.
const NO_CREDENTIAL: &str = "a user must have a token, or an application_id and one of signature, key_env and key_file";

/// Maximum size of a file.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// Names of the columns.
const NAMES: [&str; 6] = [USER, "token", "application_id", "signature", "key_env", "key_file"];

/// Indexes of the columns.
struct Columns {
    user: usize,
    token: Option<usize>,
    application_id: Option<usize>,
    signature: Option<usize>,
    key_env: Option<usize>,
    key_file: Option<usize>,
}

impl Columns {
    fn new(header: &StringRecord) -> Result<Self, &'static str> {
        let is_repeated = |name: &&&str| header.iter().filter(|column| column.eq_ignore_ascii_case(name)).count() > 1;
        if NAMES.iter().find(is_repeated).is_some() {
            return Err("the first line must name each column once");
        }
        let find = |name: &str| header.iter().position(|column| column.eq_ignore_ascii_case(name));
        Ok(Self {
            user: find(USER).ok_or("the first line must name the columns, including user")?,
            token: find("token"),
            application_id: find("application_id"),
            signature: find("signature"),
            key_env: find("key_env"),
            key_file: find("key_file"),
        })
    }

    fn credential(&self, row: &StringRecord) -> Result<Credential, &'static str> {
        let value = |column: Option<usize>| column.and_then(|at| row.get(at)).filter(|value| !value.is_empty());
        if [self.token, self.signature, self.key_env, self.key_file].into_iter().filter_map(value).count() > 1 {
            return Err("a user must have only one of token, signature, key_env and key_file");
        }
        if let Some(token) = value(self.token) {
            return Ok(Credential::Token(Zeroizing::new(token.to_owned())));
        }
        let application_id = value(self.application_id).ok_or(NO_CREDENTIAL)?.parse().map_err(|_| "application_id must be an integer")?;
        if let Some(signature) = value(self.signature) {
            return Ok(Credential::Signature { application_id, signature: Zeroizing::new(signature.to_owned()) });
        }
        let source = value(self.key_env).map(|name| KeySource::Environment(name.to_owned()));
        let source = source.or_else(|| value(self.key_file).map(|path| KeySource::File(path.into()))).ok_or(NO_CREDENTIAL)?;
        Ok(Credential::Key { application_id, source })
    }
}

/// Reads users from a CSV file.
pub(super) fn read(path: &Path) -> Result<UserCredentials, CohortError> {
    let at = |line: Option<u64>, reason: &'static str| CohortError::Users { path: Some(path.to_owned()), line, reason: reason.to_owned() };
    let content = read_file(path, MAX_FILE_BYTES).map_err(CohortError::io(path))?;
    let content = content.ok_or_else(|| at(None, "the file must not be larger than 256 MiB"))?;
    let mut reader = ReaderBuilder::new().trim(Trim::All).flexible(true).from_reader(&**content);
    let header = reader.headers().map_err(|_| at(None, "the first line must be CSV in UTF-8"))?;
    let header_len = header.len();
    let columns = Columns::new(header).map_err(|reason| at(None, reason))?;
    let mut users = UserCredentials { path: Some(path.to_owned()), ..UserCredentials::default() };
    let mut row = StringRecord::new();
    loop {
        let next_line = reader.position().line();
        if !reader.read_record(&mut row).map_err(|_| at(Some(next_line), "the line must be CSV in UTF-8"))? {
            break;
        }
        let line = Some(row.position().map_or(next_line, Position::line));
        if row.len() > header_len {
            return Err(at(line, "the line must not have more values than the first line has columns"));
        }
        let credential = columns.credential(&row).map_err(|reason| at(line, reason))?;
        let id = row.get(columns.user).unwrap_or_default().to_owned();
        users.add(id, credential, line).map_err(|reason| at(line, reason))?;
    }
    if users.is_empty() {
        return Err(at(None, "the file must have at least one user"));
    }
    Ok(users)
}

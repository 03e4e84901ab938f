//! State of the copy of one user.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};
use vitalwire::value::Date;

use crate::bytes::{Reader, put_number, put_signed};
use crate::day_set::{date_of, day_number};
use crate::error::StateError;
use crate::generated::RecordKind;
use crate::key::SyncKey;
use crate::state::SyncState;

/// First bytes of a state.
const MAGIC: &[u8] = b"vwsync";

/// Version of the layout.
const VERSION: u8 = 1;

/// Length of the digests of secret, service and user.
const NAME_BYTES: usize = 8;

/// Length of the authentication code, and of the checksum after it.
const MAC_BYTES: usize = 16;
const CHECKSUM_BYTES: usize = 4;

/// Maximum size of a state. Ten years of six kinds need about 300 kB.
const MAX_STATE_BYTES: usize = 16 << 20;

type Name = [u8; NAME_BYTES];

/// State of the copy of a user: a [`SyncState`] for each kind.
#[derive(Clone, Debug)]
pub(crate) struct CopyState {
    /// Number of the state, which increases with every new state of a copy.
    pub(crate) generation: u64,
    /// First day of the copy.
    pub(crate) first: Date,
    /// Digest of the user that the service states for the token. `None` before the first check.
    pub(crate) account: Option<Name>,
    /// Digest of the service's internal id of the user, which is new if the account is created again. `None` if the service states none.
    pub(crate) internal_id: Option<Name>,
    /// Digest of the data set of a sandbox, or of an empty name for any other service. `None` before the first response.
    pub(crate) data_set: Option<Name>,
    /// Digest of the user's providers. `None` before the first check.
    pub(crate) providers: Option<Name>,
    /// Whether the last run had more parts.
    pub(crate) is_interrupted: bool,
    pub(crate) kinds: BTreeMap<RecordKind, SyncState>,
}

/// Digests of secret, service and user, to which a state is bound.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    key: SyncKey,
    service: Name,
}

impl CopyState {
    /// Creates the state before the first sync.
    pub(crate) fn new(first: Date) -> Self {
        Self {
            generation: 0,
            first,
            account: None,
            internal_id: None,
            data_set: None,
            providers: None,
            is_interrupted: false,
            kinds: BTreeMap::new(),
        }
    }

    fn digests(&self) -> [Option<Name>; 4] {
        [self.account, self.internal_id, self.data_set, self.providers]
    }
}

impl Binding {
    pub(crate) fn new(key: SyncKey, service: &str) -> Self {
        let service = name(&key, "service", service);
        Self { key, service }
    }

    pub(crate) fn key(&self) -> &SyncKey {
        &self.key
    }

    /// Returns the digest of the user that the service states for the token.
    pub(crate) fn account(&self, id: &str) -> Name {
        name(&self.key, "account", id)
    }

    /// Returns the digest of the service's internal id of the user.
    pub(crate) fn internal_id(&self, id: &str) -> Name {
        name(&self.key, "internal id", id)
    }

    /// Returns the digest of the data set of a sandbox, or of another service.
    pub(crate) fn data_set(&self, sandbox: Option<&str>) -> Name {
        name(&self.key, "data set", sandbox.unwrap_or_default())
    }

    /// Returns the digest of a user's providers.
    pub(crate) fn providers(&self, providers: &str) -> Name {
        name(&self.key, "providers", providers)
    }

    fn names(&self) -> [Name; 3] {
        [name(&self.key, "secret", ""), self.service, name(&self.key, "user", self.key.user())]
    }

    /// Returns the bytes of a state.
    pub(crate) fn write(&self, state: &CopyState) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        put_number(&mut bytes, state.generation);
        self.names().iter().for_each(|name| bytes.extend(name));
        put_signed(&mut bytes, day_number(state.first).into());
        // One bit for each digest that is known, and one for an interrupted run.
        let digests = state.digests();
        bytes.push(digests.iter().rev().fold(u8::from(state.is_interrupted), |bits, digest| bits << 1 | u8::from(digest.is_some())));
        bytes.extend(digests.iter().flatten().flatten());
        put_number(&mut bytes, state.kinds.len() as u64);
        for (kind, known) in &state.kinds {
            put_number(&mut bytes, kind.as_str().len() as u64);
            bytes.extend(kind.as_str().as_bytes());
            known.write(&mut bytes);
        }
        seal(&self.key, bytes)
    }

    /// Reads a state that belongs to this secret, service and user.
    pub(crate) fn read(&self, bytes: &[u8]) -> Result<CopyState, StateError> {
        let (mut reader, generation) = read_head(bytes)?;
        let names: [Name; 3] = [reader.array(), reader.array(), reader.array()].map(Option::unwrap_or_default);
        let [secret, service, user] = self.names();
        let [known_secret, known_service, known_user] = names;
        if known_secret != secret {
            return Err(StateError::OtherKey);
        }
        let end = bytes.len() - MAC_BYTES - CHECKSUM_BYTES;
        let (content, rest) = bytes.split_at_checked(end).ok_or(StateError::Damaged)?;
        if rest.get(..MAC_BYTES) != Some(&mac(&self.key, content)) {
            return Err(StateError::Damaged);
        }
        if known_service != service {
            return Err(StateError::OtherService);
        }
        if known_user != user {
            return Err(StateError::OtherUser);
        }
        let state = read_kinds(&mut reader, generation)?;
        if reader.0.is_empty() { Ok(state) } else { Err(StateError::Damaged) }
    }
}

/// Returns the number of a state, which increases with every new state of a copy. If two syncs start from the same
/// state, only one of them may store its states. Before you store one, compare the number of the stored state with that of the state that
/// this sync has read or stored last. If they differ, stop without applying the changes.
///
/// # Errors
/// If the state is damaged, or has the layout of another version.
pub fn generation(state: &[u8]) -> Result<u64, StateError> {
    read_head(state).map(|(_, generation)| generation)
}

/// Checks that the bytes are an undamaged state of this version. Returns a reader at the names, which ends before the authentication code,
/// and the number of the state.
fn read_head(bytes: &[u8]) -> Result<(Reader<'_>, u64), StateError> {
    let rest = bytes.strip_prefix(MAGIC).filter(|_| bytes.len() <= MAX_STATE_BYTES).ok_or(StateError::Damaged)?;
    let (version, rest) = rest.split_first().ok_or(StateError::Damaged)?;
    if *version != VERSION {
        return Err(StateError::UnsupportedVersion);
    }
    let content = bytes.len().checked_sub(CHECKSUM_BYTES).and_then(|end| bytes.split_at_checked(end));
    if content.is_none_or(|(content, sum)| sum != checksum(content)) {
        return Err(StateError::Damaged);
    }
    let length = rest.len().checked_sub(MAC_BYTES + CHECKSUM_BYTES).ok_or(StateError::Damaged)?;
    let mut reader = Reader(rest.get(..length).ok_or(StateError::Damaged)?);
    // Each sync increases the number.
    let generation = reader.number().filter(|number| *number < u64::MAX / 2).ok_or(StateError::Damaged)?;
    Ok((reader, generation))
}

fn read_kinds(reader: &mut Reader<'_>, generation: u64) -> Result<CopyState, StateError> {
    let mut head = || {
        let first = date_of(reader.day()?)?;
        let bits = reader.byte()?;
        let mut digests = [None; 4];
        for (at, digest) in digests.iter_mut().enumerate() {
            *digest = if bits & (1 << at) == 0 { None } else { Some(reader.array()?) };
        }
        let [account, internal_id, data_set, providers] = digests;
        let is_known = bits < 2 << digests.len();
        let is_interrupted = bits & (1 << digests.len()) != 0;
        let state = CopyState { generation, account, internal_id, data_set, providers, is_interrupted, ..CopyState::new(first) };
        Some((state, reader.count().filter(|_| is_known)?))
    };
    let (mut state, count) = head().ok_or(StateError::Damaged)?;
    for _ in 0..count {
        let length = reader.count().ok_or(StateError::Damaged)?;
        let name = reader.take(length).and_then(|name| std::str::from_utf8(name).ok()).ok_or(StateError::Damaged)?;
        // A later version may have more kinds.
        let kind = name.parse().map_err(|_| StateError::UnsupportedVersion)?;
        state.kinds.insert(kind, SyncState::read(reader).ok_or(StateError::Damaged)?);
    }
    Ok(state)
}

/// Adds the authentication code and the checksum to the other bytes of a state.
#[must_use]
pub fn seal(key: &SyncKey, mut bytes: Vec<u8>) -> Vec<u8> {
    let mac = mac(key, &bytes);
    bytes.extend(mac);
    let checksum = checksum(&bytes);
    bytes.extend(checksum);
    bytes
}

fn mac(key: &SyncKey, bytes: &[u8]) -> [u8; MAC_BYTES] {
    key.digest("state", &[bytes]).first_chunk().copied().unwrap_or_default()
}

fn name(key: &SyncKey, purpose: &str, text: &str) -> Name {
    key.digest(purpose, &[text.as_bytes()]).first_chunk().copied().unwrap_or_default()
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    digest.first_chunk().copied().unwrap_or_default()
}

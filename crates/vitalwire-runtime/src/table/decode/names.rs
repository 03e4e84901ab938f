//! Names of fields, with a prediction of the next one.

use std::borrow::Cow;

use crate::value::decode::{Cursor, FastPathResult as Result, NameLookup};

/// Number of likely next names that are compared in place before a name is looked up. More than one, because a row may lack some.
const AHEAD: usize = 8;

/// Maximum length of a name that is compared in place, with quotes and colon.
const LONGEST: usize = 40;

/// Maximum number of undeclared names that are remembered.
const UNKNOWN: usize = 64;

/// A name as it stands in the text: quotes and colon included.
#[derive(Clone, Copy)]
struct Pattern {
    words: [u64; LONGEST / 8],
    length: usize,
}

impl Pattern {
    /// Returns `None` if the name is too long, or has escapes in the text.
    fn new(name: &str) -> Option<Self> {
        let length = name.len() + 3;
        if length > LONGEST || name.bytes().any(|byte| matches!(byte, b'"' | b'\\' | 0..b' ')) {
            return None;
        }
        let mut text = [0; LONGEST];
        let bytes = std::iter::once(b'"').chain(name.bytes()).chain(*b"\":");
        text.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        let mut words = [0; LONGEST / 8];
        words.iter_mut().zip(text.as_chunks::<8>().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
        Some(Self { words, length })
    }

    #[inline(always)]
    fn matches(&self, window: &[u8; LONGEST]) -> bool {
        let (words, _) = window.as_chunks::<8>();
        let mut left = self.length;
        for (word, expected) in words.iter().zip(&self.words) {
            let difference = u64::from_le_bytes(*word) ^ expected;
            if left <= 8 {
                return difference << (64 - 8 * left) == 0;
            }
            if difference != 0 {
                return false;
            }
            left -= 8;
        }
        false
    }
}

/// The names of an object, in the order of the rows so far. `T` is the use of an undeclared name.
pub(super) struct Names<T> {
    patterns: Vec<(Pattern, Name<T>)>,
    /// Place of each declared name in `patterns`.
    places: Vec<Option<usize>>,
    lookup: NameLookup<fn(&str) -> Option<usize>>,
    unknown: usize,
}

/// A name that was read.
#[derive(Clone, Copy)]
pub(super) enum Name<T> {
    /// Index of a declared name.
    Declared(usize),
    /// An undeclared name.
    Unknown(T),
}

impl<T: Copy> Names<T> {
    /// Creates the names of an object with these declared names.
    pub(super) fn new(declared: &'static [&'static str], index_of: fn(&str) -> Option<usize>) -> Self {
        let places = vec![None; declared.len()];
        Self { patterns: Vec::with_capacity(declared.len()), places, lookup: NameLookup::new(declared, index_of), unknown: 0 }
    }

    /// Number of declared names.
    pub(super) fn declared(&self) -> usize {
        self.places.len()
    }

    /// Returns the lookup of declared names, for names that are read through serde.
    pub(super) fn lookup(&mut self) -> &mut NameLookup<fn(&str) -> Option<usize>> {
        &mut self.lookup
    }

    /// Consumes a name and its colon. `place` is the place after the previous name; 0 at the start of an object. `learn` returns the use of
    /// an undeclared name.
    #[inline(always)]
    pub(super) fn read<'t>(
        &mut self,
        cursor: &mut Cursor<'t>,
        place: &mut usize,
        learn: impl FnOnce(&str) -> Result<T>,
    ) -> Result<Name<T>> {
        cursor.peek();
        if let Some(window) = cursor.window::<LONGEST>() {
            let first = *place;
            for (ahead, (pattern, name)) in self.patterns.iter().skip(first).take(AHEAD).enumerate() {
                if pattern.matches(window) {
                    cursor.advance(pattern.length);
                    *place = first + ahead + 1;
                    return Ok(*name);
                }
            }
        }
        self.look_up(cursor, place, learn)
    }

    /// Reads a name that was not predicted.
    #[inline(never)]
    fn look_up<'t>(&mut self, cursor: &mut Cursor<'t>, place: &mut usize, learn: impl FnOnce(&str) -> Result<T>) -> Result<Name<T>> {
        let text: Cow<'t, str> = cursor.string()?;
        cursor.expect(b':')?;
        let index = self.lookup.find(&text);
        if let Some(index) = index
            && let Some(known) = self.places.get(index).copied().flatten()
        {
            *place = known + 1;
            return Ok(Name::Declared(index));
        }
        let name = match index {
            Some(index) => Name::Declared(index),
            None => Name::Unknown(learn(&text)?),
        };
        if let Some(pattern) = Pattern::new(&text)
            && (index.is_some() || self.unknown < UNKNOWN)
            && !(index.is_none() && self.patterns.iter().any(|(known, _)| known.words == pattern.words))
        {
            self.unknown += usize::from(index.is_none());
            self.insert((*place).min(self.patterns.len()), pattern, name);
            *place += 1;
        }
        Ok(name)
    }

    fn insert(&mut self, at: usize, pattern: Pattern, name: Name<T>) {
        self.places.iter_mut().flatten().filter(|place| **place >= at).for_each(|place| *place += 1);
        self.patterns.insert(at, (pattern, name));
        if let Name::Declared(index) = name
            && let Some(place) = self.places.get_mut(index)
        {
            *place = Some(at);
        }
    }
}

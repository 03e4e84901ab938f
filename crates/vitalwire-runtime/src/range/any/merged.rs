//! MergedRange answers whose operation's types are put away.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::super::Range;
use super::super::bounds::AnyBounds;
use super::super::makeup::{Makeup, MergedPart};
use super::super::token::ResumeToken;
use super::part::AnyPart;
use crate::error::Error;

/// The answers to the parts of a range as one, and the parts that failed.
pub struct AnyMerged<T> {
    half: Arc<dyn Half<T>>,
    failures: Vec<AnyPart<T>>,
}

impl<T> AnyMerged<T> {
    /// Of what was read, with what a binding makes of it and how two such are joined, and what was not read.
    #[doc(hidden)]
    pub fn new<V: Clone + Send + Sync + 'static, R: Range>(
        (value, makeup): MergedRange<V, R>,
        convert: impl Fn(Arc<V>) -> T + Send + Sync + 'static,
        join: impl Fn(MergedRange<V, R>, MergedRange<V, R>) -> Result<MergedRange<V, R>, Error> + Send + Sync + 'static,
        failures: Vec<AnyPart<T>>,
    ) -> Self
    where
        T: 'static,
    {
        let how = Arc::new(How { convert: Box::new(convert), join: Box::new(join) });
        Self { half: Arc::new(Read { value: Arc::new(value), makeup, how }), failures }
    }

    /// The merged answer. The answer itself is shared, not copied.
    #[must_use]
    pub fn answer(&self) -> T {
        self.half.answer()
    }

    /// What was read, for [`join`](Self::join), and the parts that failed.
    #[must_use]
    pub fn into_parts(self) -> (Arc<dyn Half<T>>, Vec<AnyPart<T>>) {
        (self.half, self.failures)
    }

    /// The parts that failed; empty except with [`OnError::Collect`](crate::range::OnError::Collect).
    #[must_use]
    pub fn failures(&self) -> &[AnyPart<T>] {
        &self.failures
    }

    /// The parts that were read, in order, and the places of their items.
    #[must_use]
    pub fn parts(&self) -> Vec<MergedPart<AnyBounds>> {
        self.half.parts()
    }

    /// A token for the parts that are missing; `None` if nothing is missing.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.half.resume_token()
    }

    /// The same, with what `make` makes of the merged answer.
    pub(super) fn map<U: 'static>(self, make: impl Fn(T) -> U + Clone + Send + Sync + 'static) -> AnyMerged<U>
    where
        T: 'static,
    {
        let failed = |failure: AnyPart<T>| AnyPart { place: failure.place, answer: failure.answer.map(&make) };
        let failures = self.failures.into_iter().map(failed).collect();
        AnyMerged { half: Arc::new(Made { half: self.half, make: Arc::new(make) }), failures }
    }

    /// Merges this with what a later run of the same call read, in the order of the parts. A part that both have is taken from this one.
    ///
    /// # Errors
    /// `invalid_argument` if the other is of another call or another table.
    pub fn join(self, later: Self) -> Result<Self, Error> {
        let half = self.half.join(&*later.half)?;
        let is_left = |failure: &AnyPart<T>| !failure.index().is_some_and(|index| half.has(index));
        let failures = self.failures.into_iter().chain(later.failures).filter(is_left).collect();
        Ok(Self { half, failures })
    }
}

/// What was read of a range: a half that the rest can be joined to.
pub trait Half<T>: Send + Sync {
    /// See [`AnyMerged::answer`].
    fn answer(&self) -> T;

    /// See [`AnyMerged::parts`].
    fn parts(&self) -> Vec<MergedPart<AnyBounds>>;

    /// Number of items that were left out because the previous part had them.
    fn duplicates(&self) -> usize;

    /// Number of items left out because the service has none of that id.
    fn skipped(&self) -> usize;

    /// Whether it has the part of this index.
    fn has(&self, index: u32) -> bool;

    /// See [`AnyMerged::resume_token`].
    fn resume_token(&self) -> Option<&ResumeToken>;

    /// Both halves as one; see [`AnyMerged::join`].
    ///
    /// # Errors
    /// `invalid_argument` if the other is of another call or another table.
    fn join(&self, later: &dyn Half<T>) -> Result<Arc<dyn Half<T>>, Error>;

    /// To tell what type it is.
    #[doc(hidden)]
    fn as_any(&self) -> &dyn Any;
}

/// A merged value, and what it is made of.
type MergedRange<V, R> = (V, Makeup<R>);

/// What a binding makes of a merged value, and how two are joined.
struct How<V, R, T> {
    convert: Box<dyn Fn(Arc<V>) -> T + Send + Sync>,
    #[expect(clippy::type_complexity, reason = "used once")]
    join: Box<dyn Fn(MergedRange<V, R>, MergedRange<V, R>) -> Result<MergedRange<V, R>, Error> + Send + Sync>,
}

/// The one kind of half there is.
struct Read<V, R, T> {
    value: Arc<V>,
    makeup: Makeup<R>,
    how: Arc<How<V, R, T>>,
}

impl<V: Clone, R: Range, T> Read<V, R, T> {
    fn again(&self) -> MergedRange<V, R> {
        (V::clone(&self.value), self.makeup.clone())
    }
}

impl<V: Clone + Send + Sync + 'static, R: Range, T: 'static> Half<T> for Read<V, R, T> {
    fn answer(&self) -> T {
        (self.how.convert)(Arc::clone(&self.value))
    }

    fn parts(&self) -> Vec<MergedPart<AnyBounds>> {
        self.makeup.parts.iter().map(|part| MergedPart::new(part.index, part.range.map(Range::any), part.rows.clone())).collect()
    }

    fn duplicates(&self) -> usize {
        self.makeup.duplicates
    }

    fn skipped(&self) -> usize {
        self.makeup.skipped
    }

    fn resume_token(&self) -> Option<&ResumeToken> {
        self.makeup.resume.as_ref()
    }

    fn has(&self, index: u32) -> bool {
        self.makeup.has(index)
    }

    fn join(&self, later: &dyn Half<T>) -> Result<Arc<dyn Half<T>>, Error> {
        let later = later.as_any().downcast_ref::<Self>().ok_or_else(foreign)?;
        let (value, makeup) = (self.how.join)(self.again(), later.again())?;
        Ok(Arc::new(Self { value: Arc::new(value), makeup, how: Arc::clone(&self.how) }))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What is refused that does not belong together.
fn foreign() -> Error {
    Error::invalid_argument("later", "the responses are of different calls")
}

/// A half of which something else is made.
struct Made<T, U> {
    half: Arc<dyn Half<T>>,
    make: Arc<dyn Fn(T) -> U + Send + Sync>,
}

impl<T: 'static, U: 'static> Half<U> for Made<T, U> {
    fn answer(&self) -> U {
        (self.make)(self.half.answer())
    }

    fn parts(&self) -> Vec<MergedPart<AnyBounds>> {
        self.half.parts()
    }

    fn duplicates(&self) -> usize {
        self.half.duplicates()
    }

    fn skipped(&self) -> usize {
        self.half.skipped()
    }

    fn has(&self, index: u32) -> bool {
        self.half.has(index)
    }

    fn resume_token(&self) -> Option<&ResumeToken> {
        self.half.resume_token()
    }

    fn join(&self, later: &dyn Half<U>) -> Result<Arc<dyn Half<U>>, Error> {
        let later = later.as_any().downcast_ref::<Self>().ok_or_else(foreign)?;
        Ok(Arc::new(Self { half: self.half.join(&*later.half)?, make: Arc::clone(&self.make) }))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Shows sizes, no values.
impl<T> fmt::Debug for AnyMerged<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, failures) = (self.half.parts().len(), self.failures.len());
        f.debug_struct("AnyMerged").field("parts", &parts).field("failures", &failures).finish_non_exhaustive()
    }
}

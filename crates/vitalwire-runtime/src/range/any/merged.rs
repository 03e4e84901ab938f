//! Type-erased merged ranges.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::super::error::PartFailure;
use super::super::merged::{MergeFn, MergedPart, MergedParts, MergedRange};
use super::super::resume_token::ResumeToken;
use crate::error::Error;
use crate::value::decode::SkippedItems;

/// The merged responses to the parts of a range, and the parts that failed. Clones share the response.
pub struct AnyMerged<A> {
    value: Arc<dyn AnyValue<A>>,
    failures: Vec<Arc<PartFailure>>,
}

impl<A> Clone for AnyMerged<A> {
    fn clone(&self) -> Self {
        Self { value: Arc::clone(&self.value), failures: self.failures.clone() }
    }
}

impl<A: 'static> AnyMerged<A> {
    /// Erases the type of a merged range. `convert` converts the value to the binding's type.
    pub(super) fn new<T: Clone + Send + Sync + 'static>(
        range: MergedRange<T>,
        convert: impl Fn(Arc<T>) -> A + Send + Sync + 'static,
    ) -> Self {
        let MergedRange { value, failures, merged, merge_fn } = range;
        let value = ConvertedValue { value: Arc::new(value), merged, merge_fn, convert: Arc::new(convert) };
        Self { value: Arc::new(value), failures: failures.into_iter().map(Arc::new).collect() }
    }

    /// Returns the merged response. The response is shared, not copied.
    #[must_use]
    pub fn response(&self) -> A {
        self.value.convert()
    }

    /// The failed parts; empty except with [`OnError::Collect`](crate::range::OnError::Collect).
    #[must_use]
    pub fn failures(&self) -> &[Arc<PartFailure>] {
        &self.failures
    }

    /// Removes and returns the failures, for a binding that converts them before it clones the range.
    pub fn take_failures(&mut self) -> Vec<PartFailure> {
        self.failures.drain(..).filter_map(Arc::into_inner).collect()
    }

    /// See [`MergedRange::parts`].
    #[must_use]
    pub fn parts(&self) -> &[MergedPart] {
        &self.value.merged().parts
    }

    /// See [`MergedRange::duplicates`].
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.value.merged().duplicates
    }

    /// See [`MergedRange::not_found`].
    #[must_use]
    pub fn not_found(&self) -> usize {
        self.value.merged().not_found.len()
    }

    /// See [`MergedRange::skipped_items`].
    #[must_use]
    pub fn skipped_items(&self) -> &SkippedItems {
        &self.value.merged().skipped
    }

    /// See [`MergedRange::resume_token`].
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.value.merged().resume.as_ref()
    }

    /// Merges this range with the result of a later run of the same call, in the order of the parts. If both have a part, this range's
    /// part is used. A part that failed in both runs has the failure of `later`.
    ///
    /// # Errors
    /// `invalid_argument` if `later` comes from another call or another table.
    pub fn merge(&self, later: &Self) -> Result<Self, Error> {
        let failures = [self, later].map(|range| range.failures.iter().cloned());
        let (merged, failures) = self.merge_with(later, failures, |failure| failure.index())?;
        Ok(Self { failures, ..merged })
    }

    /// Merges two ranges whose failures a binding has taken and converted. Returns the merged range and its failures. `index`
    /// returns the index of a failure's first part.
    ///
    /// # Errors
    /// Same as [`AnyMerged::merge`].
    pub fn merge_with<F>(
        &self,
        later: &Self,
        failures: [impl IntoIterator<Item = F>; 2],
        index: impl Fn(&F) -> u32,
    ) -> Result<(Self, Vec<F>), Error> {
        let value = self.value.merge(&*later.value)?;
        let failures = self.value.merged().merge_failures(later.value.merged(), failures, index);
        Ok((Self { value, failures: Vec::new() }, failures))
    }
}

/// A type-erased merged value.
trait AnyValue<A>: Any + Send + Sync {
    fn convert(&self) -> A;

    fn merged(&self) -> &MergedParts;

    fn merge(&self, later: &dyn AnyValue<A>) -> Result<Arc<dyn AnyValue<A>>, Error>;
}

struct ConvertedValue<T, A> {
    value: Arc<T>,
    merged: MergedParts,
    merge_fn: MergeFn<T>,
    convert: Arc<dyn Fn(Arc<T>) -> A + Send + Sync>,
}

impl<T: Clone + Send + Sync + 'static, A: 'static> AnyValue<A> for ConvertedValue<T, A> {
    fn convert(&self) -> A {
        (self.convert)(Arc::clone(&self.value))
    }

    fn merged(&self) -> &MergedParts {
        &self.merged
    }

    fn merge(&self, later: &dyn AnyValue<A>) -> Result<Arc<dyn AnyValue<A>>, Error> {
        let later: &dyn Any = later;
        let foreign = || Error::invalid_argument("later", "must be the result of another run of the same call");
        let later: &Self = later.downcast_ref().ok_or_else(foreign)?;
        let [one, other] = [self, later].map(|range| (T::clone(&range.value), range.merged.clone()));
        let (value, merged) = (self.merge_fn)(one, other)?;
        Ok(Arc::new(Self { value: Arc::new(value), merged, merge_fn: Arc::clone(&self.merge_fn), convert: Arc::clone(&self.convert) }))
    }
}

/// Shows sizes, but no values.
impl<A: 'static> fmt::Debug for AnyMerged<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyMerged").field("parts", &self.parts().len()).field("failures", &self.failures.len()).finish_non_exhaustive()
    }
}

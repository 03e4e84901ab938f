//! Merging of the responses of an operation.

use std::marker::PhantomData;

use super::RangeOperation;
use super::bounds::{Range, RangeBounds};
use super::merge::{DuplicateScope, Merge};
use crate::operation::OperationMeta;

pub(super) struct ResponseMerge<O>(PhantomData<fn() -> O>);

impl<O> Default for ResponseMerge<O> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<O: RangeOperation> Merge for ResponseMerge<O> {
    type Value = O::Output;
    type Items = Vec<O::Item>;
    type Key = O::Key;

    fn operation(&self) -> &'static OperationMeta {
        O::META
    }

    fn scope(&self, _is_join: bool) -> DuplicateScope {
        DuplicateScope::Previous
    }

    fn items<'a>(&self, value: &'a mut O::Output) -> &'a mut Vec<O::Item> {
        O::items(value)
    }

    fn keys(&self, items: &Vec<O::Item>) -> Vec<Option<O::Key>> {
        items.iter().map(O::key).collect()
    }

    fn complete(&self, mut value: O::Output, ranges: Option<[RangeBounds; 2]>) -> O::Output {
        if let Some([Some(first), Some(last)]) = ranges.map(|ranges| ranges.map(O::Range::from_bounds)) {
            O::set_response_bounds(&mut value, first.bounds()[0], last.bounds()[1]);
        }
        value
    }
}

//! Mistakes that tests plant, to show that the random histories find them.

/// A planted mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// A run does not store the days that it has planned, so that an interrupted one forgets the older ones.
    ForgetsPlan,
    /// The look-back is three days short.
    ShortLookBack,
    /// Days that are not over count as requested.
    EndsDayEarly,
    /// Removed records are not found.
    KeepsRemoved,
    /// Records are compared by id only.
    IgnoresContent,
    /// The digest of an older day ignores the content of its records.
    FoldsIdsOnly,
    /// An incomplete response removes records.
    TrustsIncomplete,
    /// A failed request counts as successful.
    ForgetsFailure,
    /// Newly connected providers are ignored.
    IgnoresProviders,
    /// Events are ignored.
    IgnoresEvents,
    /// Days after the present of a clock that went back count as requested.
    TrustsFuture,
    /// Lists are taken to be selected by their first day column.
    GuessesColumn,
    /// A record that moves out of an older day and back is forgotten.
    ForgetsMoves,
}

#[cfg(test)]
thread_local! {
    static PLANTED: std::cell::Cell<Option<Mistake>> = const { std::cell::Cell::new(None) };
}

/// Plants a mistake in code that runs on this thread.
#[cfg(test)]
pub(crate) fn plant(mistake: Option<Mistake>) {
    PLANTED.set(mistake);
}

#[cfg(test)]
pub(crate) fn is_planted(mistake: Mistake) -> bool {
    PLANTED.get() == Some(mistake)
}

/// Always false outside of tests.
#[cfg(not(test))]
pub(crate) const fn is_planted(_: Mistake) -> bool {
    false
}

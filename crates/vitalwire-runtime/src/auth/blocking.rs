//! Token providers that block.

use std::panic::resume_unwind;
use std::sync::Arc;

use super::{BoxFuture, ProviderContext, RefreshReason, Token, TokenProvider};
use crate::error::BoxError;

/// A token provider made from a blocking function, such as one that makes blocking calls. The function runs on a thread for blocking work.
///
/// The function may call any client, even the one that it provides tokens for, as long as that call needs no token. A call that needs the
/// token being provided fails with a configuration error.
pub struct BlockingProvider<F>(Arc<F>);

impl<F> BlockingProvider<F>
where
    F: Fn(RefreshReason) -> Result<Token, BoxError> + Send + Sync + 'static,
{
    /// Creates a provider from a function.
    pub fn new(function: F) -> Self {
        Self(Arc::new(function))
    }
}

impl<F> TokenProvider for BlockingProvider<F>
where
    F: Fn(RefreshReason) -> Result<Token, BoxError> + Send + Sync + 'static,
{
    fn token(&self, reason: RefreshReason) -> BoxFuture<'_, Result<Token, BoxError>> {
        let function = Arc::clone(&self.0);
        Box::pin(async move {
            let context = ProviderContext::current();
            let run = move || match context {
                Some(context) => context.run(|| function(reason)),
                None => function(reason),
            };
            match tokio::task::spawn_blocking(run).await {
                Ok(result) => result,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => resume_unwind(panic),
                    Err(error) => Err(error.into()),
                },
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::auth::Auth;
    use crate::error::{Error, ErrorKind};

    /// Creates a provider that requests its own token.
    fn reentrant_provider() -> (Arc<OnceLock<Auth>>, Arc<OnceLock<Error>>) {
        let (source, seen) = (Arc::new(OnceLock::<Auth>::new()), Arc::new(OnceLock::new()));
        let (inner, first_error) = (Arc::clone(&source), Arc::clone(&seen));
        let provider = BlockingProvider::new(move |_| {
            let own = inner.get().ok_or("not set")?;
            match crate::blocking::block_on(own.current())? {
                Ok(_) => Ok(Token::new("own")),
                Err(error) => {
                    let _ = first_error.set(error);
                    Ok(Token::new("other"))
                }
            }
        });
        let _ = source.set(Auth::provider(Arc::new(provider)));
        (source, seen)
    }

    #[test]
    fn a_provider_that_requests_its_own_token_gets_an_error() {
        let (source, seen) = reentrant_provider();
        let auth = source.get().expect("set");
        crate::blocking::block_on(auth.current()).expect("outside of a runtime").expect("the other token");
        let error = seen.get().expect("the provider's own call has ended");
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert!(error.to_string().contains("token provider"), "{error}");
        // With a cached token, the provider is not called.
        crate::blocking::block_on(auth.current()).expect("outside of a runtime").expect("the cached token");
    }

    #[test]
    fn a_panic_of_the_provider_is_an_authentication_error() {
        let auth = Auth::provider(Arc::new(BlockingProvider::new(|_| panic!("in a test"))));
        let error = crate::blocking::block_on(auth.current()).expect("outside of a runtime").expect_err("no token");
        assert_eq!(error.kind(), ErrorKind::Authentication);
    }
}

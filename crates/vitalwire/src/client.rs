//! The client, its builder, the options of one call, raw access and answers.

pub use vitalwire_runtime::client::{
    ArrayStyle, BoxFuture, CallOptions, CancelToken, Operation, RawRequest, RawResponse, Response, ResponseMeta, RetryPolicy, Token,
    TokenProvider, TokenReason,
};

pub use crate::generated::client::{Call, Client, ClientBuilder, Service};

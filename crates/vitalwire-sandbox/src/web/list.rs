//! Long JSON lists, written while they are sent.

use std::convert::Infallible;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderValue, header};
use serde::Serialize;

/// Maximum number of pieces of a response that is not streamed.
const MAX_BUFFERED_PIECES: usize = 40;

/// Returns the items of a JSON array without its brackets.
pub(crate) fn join_items<T: Serialize>(items: &[T]) -> String {
    let text = serde_json::to_string(items).unwrap_or_default();
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inside.unwrap_or_default().to_owned()
}

/// Builds a response from a head, a list in pieces of zero or more items, and a tail.
pub(crate) fn list_response(
    head: String,
    pieces: impl Iterator<Item = String> + Send + 'static,
    tail: &'static str,
    null: bool,
) -> Response {
    let mut pieces = pieces.filter(|piece| !piece.is_empty()).peekable();
    let body = if pieces.peek().is_none() {
        let list = if null { "null" } else { "[]" };
        Body::from(format!("{head}{list}{tail}"))
    } else {
        let begin = std::iter::once(format!("{head}["));
        let inside = pieces.enumerate().map(|(at, piece)| if at == 0 { piece } else { format!(",{piece}") });
        let mut all = begin.chain(inside).chain(std::iter::once(format!("]{tail}")));
        let start: String = all.by_ref().take(MAX_BUFFERED_PIECES).collect();
        match all.next() {
            None => Body::from(start),
            Some(more) => {
                let rest = [start, more].into_iter().chain(all);
                let rest = rest.map(|piece| Ok::<_, Infallible>(Bytes::from(piece)));
                Body::from_stream(futures_util::stream::iter(rest))
            }
        }
    };
    let mut response = body.into_response();
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn text(pieces: Vec<&'static str>, null: bool) -> String {
        let pieces = pieces.into_iter().map(str::to_owned);
        let body = list_response("{\"list\":".to_owned(), pieces, "}", null).into_body();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn pieces_form_one_list() {
        assert_eq!(text(vec![], false).await, r#"{"list":[]}"#);
        assert_eq!(text(vec!["", ""], true).await, r#"{"list":null}"#);
        assert_eq!(text(vec!["", "1,2", "", "3"], true).await, r#"{"list":[1,2,3]}"#);
        // Around the threshold for streaming.
        for count in 35..45 {
            let expected = format!(r#"{{"list":[{}]}}"#, vec!["7"; count].join(","));
            assert_eq!(text(vec!["7"; count], false).await, expected);
        }
    }
}

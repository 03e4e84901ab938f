//! The uniffi ABI of Vitalwire, for Swift and Kotlin: copies of the core's types and one client object with all calls.
//!
//! This crate only converts and renames; all rules are in the core. The packages that use this crate are in `bindings/swift` and
//! `bindings/kotlin`.

mod attempts;
mod call;
mod claim;
mod client;
mod consent;
mod error;
mod failed_run;
mod fingerprint;
mod generated;
mod mock;
mod option;
mod prepared_upload;
#[cfg(feature = "__probe")]
pub mod probe;
mod range;
mod series;
#[cfg(feature = "server")]
mod server;
mod sync;
mod table;
mod token;
mod upload;
mod value;
mod wait;

pub use attempts::{Attempt, AttemptListener};
pub use call::{CancelToken, ResponseMetadata, SkippedItem};
pub use client::NativeClient;
pub use consent::{ConsentRedirect, UrlParameter, parse_consent_redirect};
pub use error::{ApiError, StateReason};
pub use fingerprint::abi_fingerprint;
pub use generated::*;
pub use mock::{MockRequest, MockResponse, MockResponses};
pub use option::{ArrayStyle, NameAndValue};
pub use prepared_upload::{PreparedUpload, ReceivedResponse};
pub use range::{
    MergedPart, NativeMerged, NativeParts, NativeRange, Night, NightPart, RangeBounds, RangeEnd, RangeFailure, RangeObserver, RangeOptions,
    RangePart, RangePartLength, RangeProgress, RangeReading, ResumeTokenContents, SleepsBetweenParams, parse_resume_token,
};
pub use series::Series;
#[cfg(feature = "server")]
pub use server::{
    ServerWebhookKind, ServerWebhookVerifier, server_content_key, server_detect_kind, server_parse_events, server_parse_lab_report,
    server_parse_nutrition, server_sign_user_id, server_sign_webhook, server_skipped_items,
};
pub use sync::{
    ChangeType, DayRange, NativeSync, PlannedDays, SyncChange, SyncEvent, SyncParams, SyncPart, SyncPlan, SyncTables, state_generation,
};
pub use table::{ColumnKind, EncodedResponse, TableColumn, TableColumns, table_columns};
pub use token::TokenProvider;
pub use upload::{Upload, UploadSource, max_file_bytes, picture_without_metadata};
pub use value::{CalendarDate, Timestamp, date_is_valid, parse_timestamp, timestamp_text};
pub use wait::{WaitInterval, WaitOptions};

uniffi::setup_scaffolding!("vitalwire");

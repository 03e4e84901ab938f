//! Parts of the stub that are there twice: for both clients, and for both mappings. In braces is what they differ in.

use super::options::{self, CALL_OPTIONS};
use super::resources::{STYLES, Style};

/// A client, up to its resources.
const CLIENT: &str = include_str!("client.pyi");
/// A client's ranges and their parts.
const RANGE: &str = include_str!("range.pyi");
/// A client's nights.
const NIGHTS: &str = include_str!("nights.pyi");
/// How both are read as a table.
const READ: &str = include_str!("read.pyi");
/// A read-only mapping.
const MAP: &str = include_str!("map.pyi");

/// Only of an `AsyncClient`'s parts.
const ACLOSE: &str = "    async def aclose(self) -> None:\n        \"\"\"`close()`, for `contextlib.aclosing`.\"\"\"\n\n";
/// Only of a `Client`'s ranges: what takes Arrow streams awaits nothing.
const STREAM: &str = "    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        \"\"\"`table().__arrow_c_stream__()`: what takes Arrow streams takes this.\"\"\"

";
/// Only of numbers.
const BASIS: &str = "    @property
    def basis(self) -> _Literal[\"per_serving\", \"per_100\", \"unknown\"] | None:
        \"\"\"What the numbers refer to: `per_serving`, `per_100` or `unknown`; `None` where they need no basis.\"\"\"

";

fn filled(template: &str, facts: &[(&str, &str)]) -> String {
    facts.iter().fold(template.to_owned(), |text, (mark, fact)| text.replace(&format!("{{{mark}}}"), fact))
}

/// A client, up to its resources.
pub(super) fn client(style: &Style) -> String {
    let callable =
        if style.is_async() { "_Callable[[_Reason], str | Token | _Awaitable[str | Token]]" } else { "_Callable[[_Reason], str | Token]" };
    let (close, a) = if style.is_async() { ("aclose", "a") } else { ("close", "") };
    filled(
        CLIENT,
        &[
            ("client", style.client),
            ("about", style.about),
            ("def", &style.def()),
            ("callable", callable),
            ("close", close),
            ("a", a),
            ("options", &options::about(&CALL_OPTIONS).replace("\n\n", "\n\n    ")),
        ],
    )
}

/// The ranges and nights of both clients.
pub(super) fn ranges() -> String {
    STYLES.iter().map(range).collect()
}

fn range(style: &Style) -> String {
    let facts = if style.is_async() {
        [
            ("range", "A range of an `AsyncClient`"),
            ("nights", "Nights of an `AsyncClient`"),
            ("an", "an"),
            ("reader", "task"),
            ("iter", "aiter"),
            ("next", "anext"),
            ("aclose", ACLOSE),
            ("stream", ""),
        ]
    } else {
        [
            ("range", "A range"),
            ("nights", "Nights"),
            ("an", "a"),
            ("reader", "thread"),
            ("iter", "iter"),
            ("next", "next"),
            ("aclose", ""),
            ("stream", STREAM),
        ]
    };
    let both = [RANGE, NIGHTS].concat().replace("{read}", READ);
    filled(&filled(&both, &facts), &[("prefix", style.prefix), ("def", &style.def())])
}

/// Both mappings.
pub(super) fn maps() -> String {
    let numbers = [
        ("class", "NumberMap"),
        (
            "about",
            "Numbers by name, read-only: metrics, statistics, nutritional fields. Only the names that the answer had are in it.\n\n    \
             Equal to another one with the same numbers, `basis` and `extra`, and to any other mapping with the same numbers.\n    ",
        ),
        ("value", "float"),
        ("one", "number"),
        ("many", "numbers"),
        ("own", BASIS),
        ("json", "number"),
        ("plain", "the numbers"),
        ("shown", "names, numbers and units"),
    ];
    let series = [
        ("class", "SeriesMap"),
        ("about", "Series of numbers by name, read-only. Each is a `memoryview` of doubles, which numpy and others take without a copy."),
        ("value", "memoryview[float]"),
        ("one", "series"),
        ("many", "series"),
        ("own", ""),
        ("json", "array"),
        ("plain", "lists of numbers"),
        ("shown", "names and lengths"),
    ];
    filled(MAP, &numbers) + &filled(MAP, &series)
}

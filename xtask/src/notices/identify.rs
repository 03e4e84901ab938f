//! Identifies licences by unique sentences.

use super::expression::Licences;
use super::phrases::words;

/// Licences: id, a sentence in their text, and a sentence that must not be in it (or none), as words of [`words`].
const SENTENCES: [(&str, &str, &str); 15] = [
    ("Apache-2.0", "apache license version 2 0 january 2004", "llvm exceptions"),
    ("Apache-2.0", "licensed under the apache license version 2 0 the license you may not use this file", ""),
    ("Apache-2.0 WITH LLVM-exception", "llvm exceptions to the apache 2 0 license", ""),
    ("MIT", "obtaining a copy of this software and associated documentation files the software to deal", "redistributions in binary form"),
    (
        "MIT-0",
        "obtaining a copy of this software and associated documentation files the software to deal",
        "shall be included in all copies",
    ),
    ("ISC", "for any purpose with or without fee is hereby granted provided that", ""),
    ("0BSD", "for any purpose with or without fee is hereby granted the software is provided", ""),
    ("BSD-2-Clause", "redistribution and use in source and binary forms", "neither the name"),
    ("BSD-3-Clause", "redistribution and use in source and binary forms", ""),
    ("BSL-1.0", "boost software license version 1 0", ""),
    ("CDLA-Permissive-2.0", "community data license agreement permissive version 2 0", ""),
    ("MPL-2.0", "mozilla public license version 2 0", ""),
    ("Unicode-3.0", "unicode license v3", ""),
    ("Unlicense", "this is free and unencumbered software released into the public domain", ""),
    ("Zlib", "altered source versions must be plainly marked as such", ""),
];

/// Returns the licences that a text contains. Returns none for an unknown text.
pub(super) fn identify_licences(text: &str) -> Licences {
    let words = words(text).into_iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let says = |sentence: &str| words.contains(sentence);
    let holds = |(_, yes, no): &&(&str, &str, &str)| says(yes) && (no.is_empty() || !says(no));
    let mut found: Licences = SENTENCES.iter().filter(holds).map(|(id, ..)| (*id).to_owned()).collect();
    // A text of the first licence also contains the sentence of the second one, so it counts as the first only.
    for (longer, shorter) in [("MIT", "MIT-0"), ("BSD-2-Clause", "BSD-3-Clause")] {
        if found.contains(longer) {
            found.remove(shorter);
        }
    }
    found
}

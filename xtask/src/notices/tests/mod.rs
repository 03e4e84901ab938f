//! What notices are made of: expressions, licence files, texts cut out, files written and compared.

mod committed;
mod cut;
mod disk;
mod entry;
mod expression;
mod graph;

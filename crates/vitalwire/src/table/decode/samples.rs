//! Parallel series: a row for each place in them.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::object::{ColumnSeed, Lookup, MemberSeed, TAKEN, drain_list, seed};
use super::{Reader, Taken};
use crate::table::plan::{Node, Read};
use crate::value::decode::{Lenient, Order, UNEVEN};

/// The series of an object, by column. The plan gives the offsets' column before all others.
type Series = BTreeMap<usize, (&'static str, Vec<f64>)>;

/// An object of series.
pub(super) struct SamplesSeed<'a> {
    pub(super) reader: &'a mut Reader,
    pub(super) node: &'static Node,
    pub(super) strict: bool,
}

impl SamplesSeed<'_> {
    fn other<E: Error>(&self, taken: Taken, expected: &'static str) -> Result<Taken, E> {
        if self.strict { Err(E::custom(expected)) } else { Ok(taken) }
    }

    fn series<'de, A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let (mut own, mut named) = (Series::new(), Series::new());
        let mut order = Order::new(self.node.names, self.node.index_of);
        while let Some(index) = members.next_key_seed(MemberSeed(&mut order))? {
            let Some(slot) = index.and_then(|index| self.node.members.get(index)) else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            match slot.read {
                Read::Series { column } => one(self.reader, column, slot.name, members.next_value()?, &mut own),
                Read::SeriesMap { first, names, index_of } => {
                    named.clear();
                    let order = Order::new(names, index_of);
                    let seed = MapSeed { reader: self.reader, name: slot.name, first, order, series: &mut named };
                    if members.next_value_seed(seed)? == Taken::No {
                        self.reader.skip_member(slot.name, "expected an object");
                    }
                }
                _ => {
                    members.next_value::<IgnoredAny>()?;
                }
            }
        }
        self.add(own, named)
    }

    fn add<E: Error>(self, own: Series, named: Series) -> Result<(), E> {
        let start = self.reader.table.rows;
        let Some(rows) = own.values().chain(named.values()).map(|(_, values)| values.len()).next() else { return Ok(()) };
        let named = named.into_iter().map(|(column, series)| (column, series, true));
        for (column, (member, values), is_named) in own.into_iter().map(|(column, series)| (column, series, false)).chain(named) {
            let Some(target) = self.reader.table.columns.get_mut(column) else { continue };
            if values.len() != rows {
                let name = if is_named { format!("{member}.{}", target.field.name) } else { member.to_owned() };
                return Err(E::custom(format_args!("{UNEVEN} `{name}`")));
            }
            target.cells.put_numbers(start, values)?;
        }
        self.reader.table.rows += rows;
        Ok(())
    }
}

fn one(reader: &mut Reader, column: usize, member: &'static str, values: Lenient<Vec<f64>>, series: &mut Series) {
    series.remove(&column);
    match values {
        Lenient::Fits(values) => {
            series.insert(column, (member, values));
        }
        Lenient::Null => {}
        Lenient::Other(_) => reader.skip(column),
    }
}

seed!(SamplesSeed, "expected an object", fn visit_map<A: MapAccess> |seed: Self, members| seed.series(members),
    fn visit_seq<B: SeqAccess> drain_list);

/// Series by name.
struct MapSeed<'a> {
    reader: &'a mut Reader,
    name: &'static str,
    first: usize,
    order: Order<Lookup>,
    series: &'a mut Series,
}

impl MapSeed<'_> {
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the form of the seeds beside it")]
    fn other<E: Error>(&self, taken: Taken, _: &'static str) -> Result<Taken, E> {
        Ok(taken)
    }

    fn named<'de, A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        while let Some(column) = members.next_key_seed(ColumnSeed { reader: self.reader, first: self.first, order: &mut self.order })? {
            match column {
                Some(column) => one(self.reader, column, self.name, members.next_value()?, self.series),
                None => {
                    members.next_value::<IgnoredAny>()?;
                    self.reader.skip_member(self.name, TAKEN);
                }
            }
        }
        Ok(())
    }
}

seed!(MapSeed, "expected an object", fn visit_map<A: MapAccess> |seed: Self, members| seed.named(members),
    fn visit_seq<B: SeqAccess> drain_list);

//! A map with a most: beyond it, the entry added first is forgotten.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

pub(crate) struct Kept<K, V> {
    most: usize,
    entries: HashMap<K, V>,
    order: VecDeque<K>,
}

impl<K: Clone + Eq + Hash, V> Kept<K, V> {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, entries: HashMap::new(), order: VecDeque::new() }
    }

    pub(crate) fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: std::borrow::Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.entries.get(key)
    }

    /// True if the key is new. A known key keeps its place in the order.
    pub(crate) fn insert(&mut self, key: K, value: V) -> bool {
        if self.entries.insert(key.clone(), value).is_some() {
            return false;
        }
        self.order.push_back(key);
        if self.order.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.entries.remove(&oldest);
        }
        true
    }

    /// In the order in which the keys were added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.order.iter().filter_map(|key| self.entries.get_key_value(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_first_and_a_change_is_not_an_addition() {
        let mut kept = Kept::new(2);
        assert!(kept.insert("a", 1));
        assert!(kept.insert("b", 2));
        assert!(!kept.insert("a", 3));
        assert!(kept.insert("c", 4));
        assert_eq!(kept.get("a"), None);
        assert_eq!(kept.iter().collect::<Vec<_>>(), [(&"b", &2), (&"c", &4)]);
    }
}

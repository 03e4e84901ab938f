//! Dependency graphs.

use std::collections::{BTreeMap, BTreeSet};

/// A directed graph: names, and the names that each one uses.
#[derive(Debug, Default)]
pub(super) struct Graph(BTreeMap<String, BTreeSet<String>>);

impl Graph {
    pub(super) fn add(&mut self, name: &str) {
        self.0.entry(name.to_owned()).or_default();
    }

    /// Records that one name uses another.
    pub(super) fn add_use(&mut self, name: &str, used: &str) {
        if name != used {
            self.0.entry(name.to_owned()).or_default().insert(used.to_owned());
        }
    }

    /// Returns all direct and indirect dependencies of a name.
    fn reachable(&self, name: &str) -> BTreeSet<&str> {
        let used = |name: &str| self.0.get(name).into_iter().flatten().map(String::as_str);
        let mut reachable = BTreeSet::new();
        let mut next: Vec<&str> = used(name).collect();
        while let Some(name) = next.pop() {
            if reachable.insert(name) {
                next.extend(used(name));
            }
        }
        reachable
    }

    /// Returns the groups of names that use each other in a cycle.
    pub(super) fn cycles(&self) -> Vec<Vec<String>> {
        let mut cycles = BTreeSet::new();
        for name in self.0.keys() {
            let reachable = self.reachable(name);
            if reachable.contains(name.as_str()) {
                let back = |other: &&&str| self.reachable(other).contains(name.as_str());
                cycles.insert(reachable.iter().filter(back).map(|other| (*other).to_owned()).collect::<Vec<String>>());
            }
        }
        cycles.into_iter().collect()
    }

    /// Returns the layers as text, the top one first. A name is above everything it uses. Uses between names in cycles are ignored.
    pub(super) fn render(&self) -> String {
        let mut layers: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        let cycles: BTreeSet<String> = self.cycles().into_iter().flatten().collect();
        for name in self.0.keys() {
            layers.entry(self.height(name, &cycles)).or_default().push(name);
        }
        let mut text = String::new();
        for (height, names) in layers.iter().rev() {
            for (at, name) in names.iter().enumerate() {
                let used: Vec<&str> = self.0.get(*name).into_iter().flatten().map(String::as_str).collect();
                let height = if at == 0 { height.to_string() } else { String::new() };
                let arrow = if used.is_empty() { String::new() } else { format!(" ▸ {}", used.join(", ")) };
                text.push_str(&format!("  {height:>2}  {name}{arrow}\n"));
            }
        }
        text
    }

    /// Returns the number of layers below a name.
    fn height(&self, name: &str, cycles: &BTreeSet<String>) -> usize {
        let used = self.0.get(name).into_iter().flatten().filter(|used| !(cycles.contains(name) && cycles.contains(*used)));
        used.map(|used| self.height(used, cycles) + 1).max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(uses: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::default();
        for (name, used) in uses {
            graph.add(used);
            graph.add_use(name, used);
        }
        graph
    }

    #[test]
    fn names_that_use_each_other_are_a_cycle() {
        assert!(graph(&[("a", "b"), ("a", "c"), ("b", "c"), ("a", "a")]).cycles().is_empty());
        let cycles = graph(&[("a", "b"), ("b", "c"), ("c", "b"), ("x", "y"), ("y", "x"), ("a", "x")]).cycles();
        assert_eq!(cycles, [["b", "c"], ["x", "y"]]);
    }
}

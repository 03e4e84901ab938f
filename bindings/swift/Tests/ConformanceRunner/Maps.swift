import Vitalwire

protocol CanonicalNumbers: Canonical, NumberMap {
    var values: [Name: Double] { get }
    var extra: [String: JSONValue] { get }
    /// Basis of the map's numbers, if known.
    var meaning: String? { get }
    func known(_ found: inout NumbersReading)
}

/// Compares the numbers in a map's dictionary with the constants and properties of known names. If they differ, the canonical entry
/// is a list of all three numbers, so that the judge's comparison fails.
struct NumbersReading {
    fileprivate let values: [String: Double]
    fileprivate var differing: [JSON.Member] = []

    mutating func name(_ wire: String, _ constant: Double?, _ property: Double?) {
        let held = values[wire]
        guard held != constant || held != property else { return }
        differing.append(JSON.Member(name: wire, value: .list([held, constant, property].map { $0?.json ?? .null })))
    }
}

extension CanonicalNumbers {
    func canonical(_ reading: Reading) -> JSON {
        reading.show(self)
        if let meaning { reading.basis(meaning) }
        let values = Dictionary(uniqueKeysWithValues: self.values.map { ($0.key.rawValue, $0.value) })
        var found = NumbersReading(values: values)
        known(&found)
        let agreed = values.filter { name, _ in !found.differing.contains { $0.name == name } }
        return .object(agreed.members(\.json) + found.differing + unknown(extra))
    }
}

protocol CanonicalSeries: Canonical, SeriesMap {
    var series: [Name: Series] { get }
    var extra: [String: JSONValue] { get }
    func known(_ found: inout SeriesReading)
}

/// Compares the series in a map's dictionary with the constants of known names, like `NumbersReading`.
struct SeriesReading {
    fileprivate let series: [String: Series]
    fileprivate var differing: [JSON.Member] = []

    mutating func name(_ wire: String, _ constant: Series?) {
        let held = series[wire]
        guard held != constant else { return }
        differing.append(JSON.Member(name: wire, value: .list([held, constant].map { $0?.json ?? .null })))
    }
}

extension CanonicalSeries {
    func canonical(_ reading: Reading) -> JSON {
        reading.show(self)
        let series = Dictionary(uniqueKeysWithValues: self.series.map { ($0.key.rawValue, $0.value) })
        var found = SeriesReading(series: series)
        known(&found)
        let agreed = series.filter { name, _ in !found.differing.contains { $0.name == name } }
        return .object(agreed.members(\.json) + found.differing + unknown(extra))
    }
}

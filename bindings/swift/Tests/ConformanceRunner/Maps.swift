import Vitalwire

/// A wide object of numbers.
protocol NumberMap: Canonical {
    var values: [String: Double] { get }
    var extra: [String: String] { get }
    /// What its numbers refer to, where that depends.
    var meaning: String? { get }
    func known(_ found: inout NumberMapReading)
}

/// Numbers as the dictionary holds them. Where a known name's constant or property says something else all three stand there in a
/// list, which equals no number.
struct NumberMapReading {
    fileprivate let values: [String: Double]
    fileprivate var differing: [JSON.Member] = []

    mutating func name(_ wire: String, _ constant: Double?, _ property: Double?) {
        let held = values[wire]
        guard held != constant || held != property else { return }
        differing.append(JSON.Member(name: wire, value: .list([held, constant, property].map { $0?.json ?? .null })))
    }
}

extension NumberMap {
    func canonical(_ reading: Reading) -> JSON {
        reading.show(self)
        if let meaning { reading.basis(meaning) }
        var found = NumberMapReading(values: values)
        known(&found)
        let agreed = values.filter { name, _ in !found.differing.contains { $0.name == name } }
        return .object(agreed.members(\.json) + found.differing + unknown(extra))
    }
}

/// A wide object of series.
protocol SeriesMap: Canonical {
    var series: [String: Series] { get }
    var extra: [String: String] { get }
    func known(_ found: inout SeriesMapReading)
}

/// As for numbers.
struct SeriesMapReading {
    fileprivate let series: [String: Series]
    fileprivate var differing: [JSON.Member] = []

    mutating func name(_ wire: String, _ constant: Series?) {
        let held = series[wire]
        guard held != constant else { return }
        differing.append(JSON.Member(name: wire, value: .list([held, constant].map { $0?.json ?? .null })))
    }
}

extension SeriesMap {
    func canonical(_ reading: Reading) -> JSON {
        reading.show(self)
        var found = SeriesMapReading(series: series)
        known(&found)
        let agreed = series.filter { name, _ in !found.differing.contains { $0.name == name } }
        return .object(agreed.members(\.json) + found.differing + unknown(extra))
    }
}

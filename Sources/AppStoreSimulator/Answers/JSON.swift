/// A JSON value. Objects keep the order of their keys.
enum JSON: Sendable {
    case text(String)
    case number(Int64)
    case bool(Bool)
    case null
    case list([JSON])
    case object(JSONFields)

    static func object(_ fields: [(String, JSON)]) -> JSON { .object(JSONFields(fields)) }
}

struct JSONFields: Sendable {
    private(set) var all: [(key: String, value: JSON)]

    init(_ fields: [(String, JSON)] = []) { all = fields.map { (key: $0.0, value: $0.1) } }

    mutating func add(_ key: String, _ value: JSON) { all.append((key, value)) }

    mutating func add(_ key: String, _ text: String?) {
        if let text { add(key, .text(text)) }
    }

    mutating func remove(_ key: String) { all.removeAll { $0.key == key } }

    mutating func shuffle(with random: inout SplitMix64) { all = random.shuffled(all) }
}

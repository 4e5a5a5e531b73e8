import Foundation

extension TestDatabase {
    /// The rows of a query, in its order. Its columns are the members of `Row`: `user_id` is
    /// `userID`.
    func rows<Row: Decodable>(
        of type: Row.Type = Row.self, _ query: String
    ) async throws -> [Row] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in ColumnKey(column: path.last) }
        let lines = try await texts("select to_jsonb(line) from (\n\(query)\n) as line")
        return try lines.map { try decoder.decode(Row.self, from: Data(($0 ?? "").utf8)) }
    }
}

/// The member of a row that a column is read into.
private struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(column: (any CodingKey)?) {
        let words = column?.stringValue.split(separator: "_") ?? []
        let rest = words.dropFirst().map { word in
            ["id", "http"].contains(word) ? word.uppercased() : word.capitalized
        }
        stringValue = String(words.first ?? "") + rest.joined()
    }

    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A JSON object without objects and lists in it.
struct FlatJSON {
    private enum Value {
        case text(String)
        /// A number, `true`, `false` or `null`, as written.
        case word(String)
    }

    private var values: [String: Value] = [:]

    /// Nil for anything else, also when a key occurs twice.
    init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes: bytes)
        guard reader.take(UInt8(ascii: "{")) else { return nil }
        if reader.take(UInt8(ascii: "}")) {
            guard reader.isAtEnd else { return nil }
            return
        }
        repeat {
            guard let key = reader.string(), reader.take(UInt8(ascii: ":")) else { return nil }
            let isString = reader.isAtString
            guard let bytes = isString ? reader.string() : reader.word() else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            let value = isString ? Value.text(text) : .word(text)
            let former = values.updateValue(value, forKey: String(decoding: key, as: UTF8.self))
            guard former == nil else { return nil }
        } while reader.take(UInt8(ascii: ","))
        guard reader.take(UInt8(ascii: "}")), reader.isAtEnd else { return nil }
    }

    var keys: Set<String> { Set(values.keys) }

    func has(_ key: String) -> Bool { values[key] != nil }

    /// Nil unless it is a string.
    func text(_ key: String) -> String? {
        guard case .text(let text) = values[key] else { return nil }
        return text
    }

    /// Nil unless it is a whole number.
    func number(_ key: String) -> Int64? {
        guard case .word(let word) = values[key] else { return nil }
        return Int64(word)
    }

    /// Nil unless it is `true` or `false`.
    func flag(_ key: String) -> Bool? {
        guard case .word(let word) = values[key] else { return nil }
        return Bool(word)
    }
}

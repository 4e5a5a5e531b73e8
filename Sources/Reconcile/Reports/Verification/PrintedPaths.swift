/// The values of a document printed by `PrintedJSON`, by path such as `money.leak.USD` or
/// `files[2].sha256`. Parses other formatting as far as it can.
struct PrintedPaths {
    /// Strings keep their quotes and escapes.
    private(set) var values: [(path: String, text: String)] = []
    private let byPath: [String: String]

    init(_ bytes: [UInt8]) {
        var open: [(path: String, elements: Int?)] = []
        var values: [(path: String, text: String)] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            var text = line.drop { $0 == " " }
            if text.last == "," { text.removeLast() }
            if text == "}" || text == "]" {
                _ = open.popLast()
                continue
            }
            var path = open.last?.path ?? ""
            if let count = open.last?.elements {
                path += "[\(count)]"
                open[open.count - 1].elements = count + 1
            } else if let (key, rest) = Self.key(text) {
                path += (path.isEmpty ? "" : ".") + key
                text = rest
            }
            switch text {
            case "{": open.append((path, nil))
            case "[": open.append((path, 0))
            default: values.append((path, String(text)))
            }
        }
        self.values = values
        byPath = Dictionary(values.map { ($0.path, $0.text) }, uniquingKeysWith: { $1 })
    }

    /// A number or word as printed; a string without its quotes, but with its escapes.
    subscript(path: String) -> String? {
        guard let text = byPath[path] else { return nil }
        guard text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 1 else { return text }
        return String(text.dropFirst().dropLast())
    }

    func integer(_ path: String) -> Int? { self[path].flatMap { Int($0) } }

    /// All values inside the object at `path`, by the rest of their paths.
    func members(of path: String) -> [String: String] {
        var members: [String: String] = [:]
        for value in values where value.path.hasPrefix(path + ".") {
            let name = String(value.path.dropFirst(path.count + 1))
            members[name] = self[value.path]
        }
        return members
    }

    /// Splits a line that begins with `"key": ` into the key and the rest.
    private static func key(_ text: Substring) -> (String, Substring)? {
        guard text.first == "\"" else { return nil }
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if isEscaped {
                isEscaped = false
            } else if text[index] == "\\" {
                isEscaped = true
            } else if text[index] == "\"" {
                let rest = text[text.index(after: index)...]
                guard rest.hasPrefix(": ") else { return nil }
                return (String(text[text.index(after: text.startIndex)..<index]), rest.dropFirst(2))
            }
        }
        return nil
    }
}

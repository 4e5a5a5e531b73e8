/// SQL text belongs into files of `sql/`, where `psql` can run it. Swift has only BEGIN, COMMIT and
/// ROLLBACK.
enum StatementTextRule {
    static func violations(in file: SwiftFile) -> [Violation] {
        guard let room = file.room else { return [] }
        return file.tokens.all.compactMap { token in
            guard token.kind == .literal, let verb = statementVerb(of: token.text) else {
                return nil
            }
            return file.violation(
                .arrow(.edgeOutsideItsPlace), line: token.line,
                "\(room.name) holds SQL text, a literal that begins with `\(verb)`")
        }
    }

    /// The condition under which a text that begins with a verb is a statement, and not a sentence.
    fileprivate enum Shape {
        case anyWords
        /// Exactly one word follows.
        case oneWord
        /// The second word is one of these.
        case then(Set<String>)
        /// The second word is a name with its schema.
        case thenQualifiedName
        /// These words follow somewhere, in this order.
        case with([String])
    }

    private static let objects: Set = [
        "aggregate", "cast", "collation", "conversion", "database", "default", "domain", "event",
        "extension", "foreign", "function", "global", "group", "index", "language", "local",
        "materialized", "operator", "or", "policy", "procedure", "publication", "recursive", "role",
        "rule", "schema", "sequence", "server", "statistics", "subscription", "system", "table",
        "tablespace", "temp", "temporary", "trigger", "type", "unique", "unlogged", "user", "view",
    ]

    private static let settings: Set = [
        "local", "session", "role", "transaction", "constraints", "time", "timezone", "datestyle",
        "search_path", "client_encoding", "application_name", "statement_timeout", "lock_timeout",
    ]

    private static let shapes: [String: [Shape]] = [
        "select": [.anyWords], "insert": [.then(["into"])], "update": [.with(["set"])],
        "delete": [.then(["from"])], "merge": [.then(["into"])],
        "truncate": [.then(["table", "only"]), .thenQualifiedName],
        "with": [
            .with(["as", "select"]), .with(["as", "insert"]), .with(["as", "update"]),
            .with(["as", "delete"]),
        ],
        "values": [.then(["("])], "create": [.then(objects)], "alter": [.then(objects)],
        "drop": [.then(objects)], "copy": [.with(["from", "stdin"]), .with(["to", "stdout"])],
        "grant": [.with(["on", "to"])], "revoke": [.with(["on", "from"])],
        "lock": [.then(["table"])], "set": [.then(settings)], "explain": [.with(["select"])],
        "declare": [.with(["cursor"])], "savepoint": [.oneWord], "discard": [.oneWord],
        "listen": [.oneWord], "notify": [.oneWord], "vacuum": [.oneWord], "show": [.oneWord],
    ]

    /// The verb of a literal that begins like a statement: `select` or `SELECT`. "Select" opens a
    /// sentence.
    private static func statementVerb(of literal: String) -> String? {
        let words = words(of: literal)
        guard words.count >= 2, let first = words.first,
            first == first.lowercased() || first == first.uppercased(),
            let shapes = shapes[first.lowercased()]
        else { return nil }
        let rest = words.dropFirst().map { $0.lowercased() }
        return shapes.contains { $0.fits(rest) } ? first : nil
    }

    /// The literal without leading `--` lines and brackets, split at spaces and around brackets.
    private static func words(of literal: String) -> [String] {
        let lines = literal.split(separator: "\n").drop {
            $0.drop { $0 == " " }.hasPrefix("--") || $0.allSatisfy(\.isWhitespace)
        }
        let text = lines.joined(separator: "\n").drop { $0.isWhitespace || $0 == "(" }
        let spaced = text.reduce(into: "") { $0 += "()=,;".contains($1) ? " \($1) " : "\($1)" }
        return spaced.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}

extension StatementTextRule.Shape {
    fileprivate func fits(_ words: [String]) -> Bool {
        switch self {
        case .anyWords: return true
        case .oneWord: return words.count == 1
        case .thenQualifiedName: return words[0].contains(".")
        case .then(let seconds): return seconds.contains(words[0])
        case .with(let wanted):
            var rest = words[...]
            return wanted.allSatisfy { word in
                guard let place = rest.firstIndex(of: word) else { return false }
                rest = rest[(place + 1)...]
                return true
            }
        }
    }
}

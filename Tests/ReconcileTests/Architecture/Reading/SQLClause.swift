/// Reads the targets that a statement writes to, starting after its verb.
struct SQLClause {
    private var rest: ArraySlice<SQLToken>

    init(_ tokens: ArraySlice<SQLToken>) { rest = tokens }

    typealias Targets = [(target: SQLWrite.Target, isTemporary: Bool)]

    mutating func targets(of verb: String) -> Targets {
        switch verb {
        case "insert", "merge": take("into") ? names(1) : []
        case "delete": take("from") ? names(1) : []
        case "update": names(1)
        case "truncate": names(.max)
        case "copy": copied()
        case "create", "alter", "drop": objects()
        default: []
        }
    }

    private var word: String? { rest.first?.kind == .word ? rest.first?.text : nil }

    private mutating func take(_ text: String) -> Bool {
        guard rest.first?.text == text, rest.first?.kind != .string else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skip(_ words: Set<String>) -> Set<String> {
        var skipped: Set<String> = []
        while let word, words.contains(word) {
            skipped.insert(word)
            rest.removeFirst()
        }
        return skipped
    }

    /// Up to that many names, separated by commas.
    private mutating func names(_ most: Int, isTemporary: Bool = false) -> Targets {
        var targets: Targets = []
        repeat {
            _ = skip(["table", "only", "if", "not", "exists", "concurrently"])
            guard let name = relation() else { break }
            targets.append((name, isTemporary))
        } while targets.count < most && take(",")
        return targets
    }

    private mutating func relation() -> SQLWrite.Target? {
        guard let first = identifier() else { return nil }
        guard take(".") else { return .relation(schema: nil, name: first) }
        return .relation(schema: first, name: identifier() ?? "")
    }

    /// A name; `%I` in a statement for `format` is a name that cannot be checked.
    private mutating func identifier() -> String? {
        if take("%") {
            rest = rest.dropFirst()
            return "%"
        }
        guard let word else { return nil }
        rest.removeFirst()
        return word
    }

    /// `copy name (columns) from …`; copying out of a table writes nothing.
    private mutating func copied() -> Targets {
        let target = names(1)
        if take("(") { while !rest.isEmpty, !take(")") { rest.removeFirst() } }
        return take("from") ? target : []
    }

    private mutating func objects() -> Targets {
        let modifiers = skip([
            "or", "replace", "global", "local", "temp", "temporary", "unlogged", "materialized",
            "recursive", "unique", "constraint",
        ])
        let isTemporary = !modifiers.isDisjoint(with: ["temp", "temporary"])
        guard let kind = identifier() else { return [] }
        switch kind {
        case "table", "view", "sequence", "type", "domain", "function", "procedure", "aggregate",
            "routine", "statistics", "collation":
            return names(.max, isTemporary: isTemporary)
        case "index": return indexed()
        case "trigger", "policy", "rule": return after("on")
        case "schema":
            return names(.max).map { ($0.target.asSchema, false) }
        case "role", "user", "group":
            return names(.max).map { ($0.target.asRole, false) }
        case "default": return defaultRights()
        default: return [(.other(kind), false)]
        }
    }

    /// A new index is named without a schema and is created in its table's schema.
    private mutating func indexed() -> Targets {
        var ahead = self
        let onTable = ahead.after("on")
        return onTable.isEmpty ? names(.max) : onTable
    }

    private mutating func defaultRights() -> Targets {
        let schemas = after("schema")
        return schemas.isEmpty
            ? [(.other("default privileges"), false)]
            : schemas.map { ($0.target.asSchema, false) }
    }

    private mutating func after(_ word: String) -> Targets {
        while let next = rest.first, next.text != ";" {
            if take(word) { return names(1) }
            rest.removeFirst()
        }
        return []
    }
}

extension SQLWrite.Target {
    fileprivate var asSchema: Self {
        guard case .relation(let schema, let name) = self else { return self }
        return .schema(schema ?? name)
    }

    fileprivate var asRole: Self {
        guard case .relation(_, let name) = self else { return self }
        return .role(name)
    }
}

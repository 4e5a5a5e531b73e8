import Foundation

/// The rules about source text that a test can check: module dependencies, forbidden words, limits,
/// and what SQL may write. A rule reads text: it does not know types.
struct SourceRules: Sendable {
    private let names: DeclaredNames

    /// - Parameter files: those whose declarations are the modules' names.
    init(_ files: [SourceFile]) { names = DeclaredNames(files) }

    func violations(in file: SourceFile) -> [String] {
        guard !file.isSQL else { return Self.limits(of: file) + Self.writes(in: file) }
        return Self.words(in: file) + Self.imports(in: file) + names.foreignNames(in: file)
            + Self.limits(of: file) + Self.longFunctions(of: file) + Self.statements(in: file)
    }

    private static let call = #"(?<![.\w])(?<!func )"#
    /// Words, what to do instead, and where they are forbidden; always, where nothing is said.
    private static let forbidden: [(String, String, (@Sendable (SourceFile) -> Bool)?)] = [
        (#"(@unchecked)"#, "Use an actor, a Mutex or a value.", nil),
        (
            #"(nonisolated\(unsafe\))"#, "There is one, for libcurl's multi handle in HTTP.",
            { $0.path != "Sources/Reconcile/HTTP/CurlLoop.swift" }
        ),
        (#"\b(try!)"#, "Throw, or make the wrong state impossible in the types.", nil),
        (call + #"(fatalError)\("#, "Throw; for a programmer's error preconditionFailure.", nil),
        (#"\b(SIMD\d+)\b"#, "Frames of async functions are not aligned to it (decision 90).", nil),
        (call + #"(Process)\("#, "It crashes on Linux at times. Use ChildProcess.", nil),
        (
            #"(?m)^(?:[a-z]+ )*(var) "#,
            "A global variable. State is an actor's, a counter a Mutex.",
            { $0.module != nil && !$0.path.hasSuffix("/main.swift") }
        ),
        (
            #"(?<![.\w])(Task)(?:\s*(?:<[^>{]*>)?\s*[({]|\.(?:detached|immediate|init))"#,
            "An unstructured task. Use a task group, so that cancelling the run cancels it.",
            { ![nil, "reconcile-job"].contains($0.module) }
        ),
        (
            #"(?:"# + call + #"|(?<=Glibc\.))(getenv|secure_getenv|setenv|unsetenv|_?exit|"#
                + #"quick_exit|isatty|print|debugPrint|readLine|puts|printf)\(|(?<![.\w])(environ|"#
                + #"ProcessInfo|CommandLine|STDOUT_FILENO|STDERR_FILENO|stdout|stderr)\b|"# + call
                + #"(write)\([12],|\.(standardOutput|standardError)\b"#,
            "Only reconcile-job may. Pass it on as an argument.",
            { ![nil, "reconcile-job"].contains($0.module) }
        ),
        (
            #"(?<![.\w])(Date|ContinuousClock|SuspendingClock|Task|await|async|actor|FileManager|"#
                + #"FileHandle|contentsOf)\b|\.(now)\b|"# + call
                + #"(clock_gettime|time|withTaskGroup|withThrowingTaskGroup|fopen|open)\("#,
            "Rules are pure: take it as an argument (time is `asOf`).",
            { $0.module.flatMap { Module.table[$0] }?.isPure == true }
        ),
    ]

    private static func words(in file: SourceFile) -> [String] {
        forbidden.filter { $0.2?(file) ?? true }.flatMap { pattern, advice, _ in
            file.matches(pattern).map { "\(file.at($0.place)): `\($0.text)`. \(advice)" }
        }
    }

    private static func imports(in file: SourceFile) -> [String] {
        guard let name = file.module else { return [] }
        guard let module = Module.table[name] else {
            return ["\(file.path):1: `\(name)` is not in the module table."]
        }
        let kinds = "(?:struct |enum |class |actor |protocol |typealias |func |var |let )?"
        return file.matches(#"(?m)^(?:@testable )?(?:[a-z]+ )*import "# + kinds + #"(\w+)"#)
            .filter { module.isPure || Module.own.contains($0.text) }
            .filter { !module.mayImport.contains($0.text) }
            .map { "\(file.at($0.place)): \(name) imports `\($0.text)`." }
    }

    // MARK: Limits

    private static func limits(of file: SourceFile) -> [String] {
        let lines = file.lines
        let count = lines.count - (file.text.hasSuffix("\n") ? 1 : 0)
        let long = lines.indices.filter { lines[$0].utf8.count > 100 && lines[$0].count > 100 }
        let folders = Set(file.path.split(separator: "/").dropLast().map(String.init))
        return long.map { "\(file.path):\($0 + 1): over 100 columns." }
            + folders.intersection(Module.forbiddenFolders).map { "\(file.path): folder `\($0)`." }
            + (count > 300 && !file.isSQL ? ["\(file.path): \(count) lines, 300 at most."] : [])
    }

    /// Functions that are too long: from the declaration to the brace at its indent.
    private static func longFunctions(of file: SourceFile) -> [String] {
        let lines = file.lines
        return lines.indices.filter { index in
            let indent = lines[index].prefix { $0 == " " }
            let text = lines[index].dropFirst(indent.count)
            guard ["{", "(", ","].contains(where: text.hasSuffix),
                text.contains(#/^[@\w(). ]*\b(?:func|init|deinit|subscript|var)\b/#)
            else { return false }
            let end = lines[(index + 1)...].firstIndex { line in
                !line.isEmpty && !line.hasPrefix(indent + " ") && !line.hasPrefix(indent + ")")
            }
            return end.map { lines[$0].hasPrefix(indent + "}") && $0 - index >= 50 } ?? false
        }.map { "\(file.path):\($0 + 1): over 50 lines." }
    }

    // MARK: SQL

    /// What a literal begins with that is a statement. A sentence begins with a capital letter.
    private static let statement = [
        #"select\s+\S"#, #"insert\s+into\s"#, #"delete\s+from\s"#, #"merge\s+into\s"#,
        #"values\s*\("#, #"update\s+\S+\s+set\s"#, #"truncate\s+(?:table\s|only\s|\S+\.)"#,
        #"with\s+\w+\s+as\b[\s\S]*\b(?:select|insert|update|delete)\b"#,
        #"(?:create|alter|drop)\s+(?:or|table|view|index|schema|role|user|function|type|trigger|"#
            + #"unique|temp|temporary|materialized|policy|sequence|extension|database|default)\b"#,
        #"(?:grant|revoke)\s[\s\S]*\son\s"#, #"lock\s+table\s"#, #"explain\s[\s\S]*select"#,
        #"declare\s[\s\S]*\scursor"#, #"copy\s[\s\S]*\s(?:from\s+stdin|to\s+stdout)"#,
        #"set\s+(?:local|session|role|transaction|search_path|statement_timeout|"#
            + #"client_encoding|application_name)\b"#,
        #"(?:savepoint|discard|listen|notify|vacuum|show)\s+\w+\s*$"#,
    ].joined(separator: "|")

    private static func statements(in file: SourceFile) -> [String] {
        guard file.module != nil else { return [] }
        return file.literals.filter { literal in
            let lines = literal.split(separator: "\n").drop {
                $0.drop { $0 == " " }.hasPrefix("--")
            }
            let text = lines.joined(separator: "\n").drop { $0.isWhitespace || $0 == "(" }
            let first = text.prefix { $0.isLetter }
            guard first == first.lowercased() || first == first.uppercased() else { return false }
            return text.lowercased()
                .range(of: "^(?:\(statement))", options: .regularExpression) != nil
        }.map { "\(file.path): SQL text `\($0.prefix(30))`. Put the statement into sql/." }
    }

    private static let mayWriteApp = ["sql/reference_app.sql", "sql/reference/", "sql/service/"]
    private static let roles: Set = [
        "reconcile_job", "reconcile_service", "reconcile_reader", "reconcile_evidence",
        "reconcile_receipts",
    ]

    /// Statements that write outside schema `reconcile`, temporary tables apart.
    private static func writes(in file: SourceFile) -> [String] {
        guard !mayWriteApp.contains(where: file.path.hasPrefix) else { return [] }
        let change = #"(?i)\b(?:create|alter|drop)\s+"#
        let exists = #"(?:concurrently\s+)?(?:if\s+(?:not\s+)?exists\s+)?"#
        let temporary = file.matches(#"(?i)create\s+temp(?:orary)?\s+table\s+(\w+)"#).map(\.text)
        let targets = [
            #"(?i)\b(?:insert|merge)\s+into\s+(\S+)"#,
            #"(?i)(?<!distinct )\bdelete\s+from\s+(?:only\s+)?(\S+)"#,
            #"(?i)\bupdate\s+(?:only\s+)?(\S+)(?:\s+as\s+\w+|\s+\w+)?\s+set\s"#,
            #"(?i)\btruncate\s+(?:table\s+)?(?:only\s+)?(\S+)"#,
            #"(?i)\bcopy\s+(\S+)(?:\s*\([^)]*\))?\s+from\b"#,
            change + #"(?:or\s+replace\s+)?(?:table|(?:materialized\s+)?view|function|sequence|"#
                + #"type)\s+"# + exists + #"(\S+)"#,
            #"(?i)\b(?:create|alter|drop)\s+(?:unique\s+)?(?:index|trigger|policy)\s[^;]*?\son\s+"#
                + #"(\S+)"#,
        ].flatMap(file.matches).filter { target in
            let name = target.text.lowercased().split { ",;()".contains($0) }.first ?? ""
            return !name.hasPrefix("reconcile.") && !name.hasPrefix("pg_temp.")
                && !temporary.contains(String(name)) && name != "on" && name != "or"
        }
        let others =
            file.matches(change + #"schema\s+"# + exists + #"(\w+)"#)
            .filter { $0.text != "reconcile" }
            + file.matches(change + #"role\s+"# + exists + #"(\w+)"#)
            .filter { !roles.contains($0.text) }
            + file.matches(#"(?i)\b(?:create|drop)\s+(extension|database|server|user)\s"#)
        return (targets + others).map {
            "\(file.at($0.place)): writes `\($0.text)`. Only schema reconcile is ours."
        }
    }
}

/// The names that modules declare for others.
struct DeclaredNames: Sendable {
    private var moduleOfType: [String: String] = [:]
    private var moduleOfFunction: [String: String] = [:]
    private var namesOfModule: [String: Set<String>] = [:]

    init(_ files: [SourceFile]) {
        let types = "(?:struct|enum|class|actor|protocol|typealias)"
        let start = #"(?m)^(?!(?:[@\w()]+ )*(?:private|fileprivate) )(?:[@\w()]+ )*"#
        for file in files {
            guard let module = file.module, !file.isSQL else { continue }
            let own = file.matches(#"\b(?:struct|enum|class|actor|protocol|typealias|func) (\w+)"#)
            namesOfModule[module, default: []].formUnion(own.map(\.text))
            guard Module.table[module]?.isTarget == false else { continue }
            for found in file.matches(start + types + #" ([A-Z]\w*)"#) {
                moduleOfType[found.text] = module
            }
            for found in file.matches(start + #"func (\w+)"#) {
                moduleOfFunction[found.text] = module
            }
        }
    }

    /// Names of types and functions of modules that the table does not allow.
    func foreignNames(in file: SourceFile) -> [String] {
        guard let name = file.module, let module = Module.table[name], !module.isTarget else {
            return []
        }
        let placeholders =
            file.matches(#"associatedtype (\w+)"#).map(\.text)
            + file.matches(#"(?:func \w+|init|(?:struct|enum|class|actor|typealias) \w+)<([^>]*)>"#)
            .flatMap { $0.text.split { !$0.isLetter && !$0.isNumber }.map(String.init) }
        let own = namesOfModule[name, default: []].union(placeholders)
        let used =
            file.matches(#"(?:(?<![\w.])|(?<=\.\.[.<])|(?<=Reconcile\.))([A-Z]\w*)"#)
            .map { ($0, moduleOfType[$0.text]) }
            + file.matches(#"(?<![\w.])(?<!func )([a-z]\w*)\("#)
            .map { ($0, moduleOfFunction[$0.text]) }
        return used.compactMap { found, other in
            guard let other, !own.contains(found.text), !module.mayName(found.text, of: other)
            else { return nil }
            return "\(file.at(found.place)): \(name) names `\(found.text)` of \(other)."
        }
    }
}

import Foundation

@testable import TestSupport

/// The rules about source text that a test can check: module dependencies, forbidden words, limits,
/// and what SQL may write. A rule reads text: it does not know types.
struct SourceRules: Sendable {
    /// Of a type or function that other folders of the library see, its folder.
    private var folders: [String: String] = [:]
    private var namesOfModule: [String: Set<String>] = [:]
    private static let declared = #"(?:struct|enum|class|actor|protocol|typealias|func) (\w+)"#

    init(_ files: [SourceFile]) {
        let words = #"(?:[@\w()]+ )*"#
        let open = #"(?m)^(?!\#(words)(?:private|fileprivate) )\#(words)"# + Self.declared
        for file in files where !file.isSQL {
            guard let module = file.module else { continue }
            namesOfModule[module, default: []].formUnion(file.matches(#"\b"# + Self.declared))
            guard Module.table[module]?.isTarget == false else { continue }
            for name in file.matches(open) { folders[name] = module }
        }
    }

    /// Each with the first line that has the text that it names.
    func violations(in file: SourceFile) -> [String] {
        let rules = file.isSQL ? [Self.writes] : [Self.words, Self.imports, Self.statements, names]
        return (rules + [Self.limits]).flatMap { $0(file) }.map { violation in
            let parts = file.text.components(separatedBy: violation.groups("`([^`]*)`")[0])
            let line = parts.count == 1 ? 1 : parts[0].count { $0 == "\n" } + 1
            return "\(file.path):\(line): \(violation)"
        }
    }

    private static let call = #"(?:(?<![.\w])|(?<=Glibc\.))(?<!func )"#
    /// Words, where they are forbidden (or the one folder that may use them), and what to do.
    private static let forbidden = #"""
        (@unchecked) | everywhere | Use an actor, a Mutex or a value.
        (nonisolated\(unsafe\)) | HTTP/CurlLoop.swift | There is one, for libcurl's multi handle.
        \b(try!) | everywhere | Throw, or make the wrong state impossible in the types.
        \#(call)(fatalError)\( | everywhere | Throw; for a programmer's error preconditionFailure.
        \b(SIMD\d+)\b | everywhere | Frames of async functions are not aligned to it (decision 90).
        \#(call)(Process)\( | everywhere | It crashes on Linux at times. Use ChildProcess.
        \b(row\.\w+\(\s*\d+\s*\)|row\[\s*\d+\s*\]) | programs | Decode a column by its name.
        \.(\#(kinds))\b|(switch) [\w.]*(?:finding|rule|identity)\.kind\b | elsewhere \#
        | Only a rule in Findings/Rules knows its kind of finding.
        (?m)^(?:[a-z]+ )*(var)\b | programs | A global variable. State is an actor's or a Mutex's.
        (?<![.\w])(Task)(?:\s*(?:<[^>{]*>)?\s*[({]|\.(?:detached|immediate|init)) | library \#
        | An unstructured task. Use a task group, so that cancelling the run cancels it.
        \#(call)((?:secure_)?getenv|(?:un)?setenv|(?:_|quick_)?exit|isatty|print|debugPrint|\#
        readLine|puts|printf)\(|\#(call)(write)\([12],|\.(standardOutput|standardError)\b|\#
        (?<![.\w])(environ|ProcessInfo|CommandLine|STD(?:OUT|ERR)_FILENO|std(?:out|err))\b \#
        | library | Only reconcile-job may. Pass it on as an argument.
        (?<![.\w])(Date|ContinuousClock|SuspendingClock|Task|await|async|actor|FileManager|\#
        FileHandle|contentsOf)\b|\.(now)\b|\#
        \#(call)(clock_gettime|time|withTaskGroup|withThrowingTaskGroup|fopen|open)\( \#
        | pure | Rules are pure: take it as an argument (time is asOf).
        """#.triples
    /// The names of kinds in code. `expired` is also a state of a subscription.
    private static let kinds = SourceTree.files.filter(\.isRule)
        .flatMap { $0.matches(#"let (?!expired )(\w+) = FindingKind\("#) }.joined(separator: "|")

    private static func words(_ file: SourceFile) -> [String] {
        forbidden.filter { _, place, _ in
            switch place {
            case "elsewhere": ![nil, "AppStoreSimulator"].contains(file.module) && !file.isRule
            case "programs": file.module != nil && !file.path.hasSuffix("/main.swift")
            case "library": ![nil, "reconcile-job"].contains(file.module)
            case "pure": file.module.flatMap { Module.table[$0] }?.isPure == true
            default: !file.path.hasSuffix(place)
            }
        }.flatMap { pattern, _, advice in file.matches(pattern).map { "`\($0)`. \(advice)" } }
    }

    private static func imports(_ file: SourceFile) -> [String] {
        guard let name = file.module else { return [] }
        guard let module = Module.table[name] else { return ["`\(name)` is not in the table."] }
        return file.matches(#"(?m)^(?:@testable )?(?:[a-z]+ )*import (?:[a-z]+ )?(\w+)"#)
            .filter { !module.mayImport($0) }.map { "\(name) imports `\($0)`." }
    }

    /// Names of types and functions of modules that the table does not allow.
    private func names(_ file: SourceFile) -> [String] {
        guard let name = file.module, let module = Module.table[name] else { return [] }
        let holders = file.matches(#"associatedtype (\w+)|(?:\#(Self.declared)|init)<([^>]*)>"#)
        let own = namesOfModule[name, default: []].union(holders.flatMap { $0.groups(#"\w+"#) })
        let used = #"(?<=^|[^\w.]|\.\.[.<]|Reconcile\.)([A-Z]\w*)|(?<![\w.]|func )([a-z]\w*)\("#
        return file.matches(used).filter { !own.contains($0) }.compactMap { found in
            guard let other = folders[found], !module.mayName(found, of: other) else { return nil }
            return "\(name) names `\(found)` of \(other)."
        }
    }

    /// The first of them are limits of SQL, too. A function ends with the brace at its indent.
    private static let limits = #"""
        (?m)^(.{101}) | over 100 columns
        /(Utils|Helpers|Common|Models|Types|Extensions|Managers|Core|New)/ | kind instead of subject
        \A((?:.*\n){300}[\s\S]) | over 300 lines
        (?m)^( *+)([@\w(). ]*\b(?:func|init|deinit|subscript|var)\b.*[{(,])\n\#
        (?:(?:\1[ )].*+)?\n){49,}\1\} | over 50 lines
        """#.pairs

    private static func limits(_ file: SourceFile) -> [String] {
        limits.prefix(file.isSQL ? 2 : 4).flatMap { pattern, what in
            (pattern.hasPrefix("/") ? file.path : file.text).groups(pattern)
                .map { "`\($0.prefix(40))`: \(what)." }
        }
    }

    /// What a literal begins with that is a statement. A sentence begins with a capital letter.
    private static let statement = #"""
        \A(?: *--.*\n)*+[\s(]*+(?![A-Z]+[a-z])(?i:select\s+\S|insert\s+into\s|delete\s+from\s|\#
        merge\s+into\s|values\s*\(|update\s+\S+\s+set\s|truncate\s+(?:table\s|only\s|\S+\.)|\#
        with\s+\w+\s+as\b[\s\S]*\b(?:select|insert|update|delete)\b|lock\s+table\s|\#
        (?:create|alter|drop)\s+(?:or|table|view|index|schema|role|user|function|type|trigger|\#
        unique|temp|temporary|materialized|policy|sequence|extension|database|default)\b|\#
        declare\s[\s\S]*\scursor|copy\s[\s\S]*\s(?:from\s+stdin|to\s+stdout)|\#
        set\s+(?:local|session|role|transaction|search_path|statement_timeout|client_encoding|\#
        application_name)\b|explain\s[\s\S]*select|(?:grant|revoke)\s[\s\S]*\son\s|\#
        (?:savepoint|discard|listen|notify|vacuum|show)\s+\w+\s*\z)
        """#

    private static func statements(_ file: SourceFile) -> [String] {
        file.literals.filter { file.module != nil && !$0.groups(statement).isEmpty }
            .map { "SQL text `\($0.prefix(30))`. Put the statement into sql/." }
    }

    private static let exists = #"(?:concurrently\s+)?+(?:if\s+(?:not\s+)?exists\s+)?+"#
    /// How a statement names what it writes, and which schemas and roles are ours.
    private static let targets = #"""
        (?:insert|merge)\s+into\s+([^\s,;()]+)
        (?<!distinct )\bdelete\s+from\s+(?:only\s+)?([^\s,;()]+)
        update\s+(?:only\s+)?([^\s,;()]+)(?:\s+as\s+\w+|\s+\w+)?\s+set\s
        truncate\s+(?:table\s+)?(?:only\s+)?([^\s,;()]+)
        copy\s+([^\s,;()]+)(?:\s*\([^)]*\))?\s+from\b
        (?:create|alter|drop)\s+(?:or\s+replace\s+)?\#
        (?:table|(?:materialized\s+)?view|function|sequence|type)\s+\#(exists)([^\s,;()]+)
        (?:create|alter|drop)\s+(?:unique\s+)?(?:index|trigger|policy)\s[^;]*?\son\s+([^\s,;()]+)
        (?:create|alter|drop)\s+schema\s+\#(exists)(?!reconcile\b)(\w+)
        (?:create|alter|drop)\s+role\s+\#(exists)\#
        (?!reconcile_(?:job|service|reader|evidence|receipts)\b)(\w+)
        (?:create|drop)\s+(extension|database|server|user)\s
        """#.split(separator: "\n")

    /// Statements that write outside schema `reconcile`, temporary tables apart.
    private static func writes(_ file: SourceFile) -> [String] {
        let mayWriteApp = ["sql/reference_app.sql", "sql/reference/", "sql/service/"]
        guard !mayWriteApp.contains(where: file.path.hasPrefix) else { return [] }
        let temporary = file.matches(#"(?i)create\s+temp(?:orary)?\s+table\s+(\w+)"#)
        return targets.flatMap { file.matches(#"(?i)\b"# + $0) }.filter { target in
            let name = target.lowercased()
            return !["reconcile.", "pg_temp."].contains(where: name.hasPrefix)
                && !(temporary + ["on", "or"]).contains(name)
        }.map { "writes `\($0)`. Only schema reconcile is ours." }
    }
}

/// One module (a folder of the library, or another target) and what it may use.
struct Module: Sendable {
    /// "", the name, the types that it may name by module, our modules that it may import, "".
    private let row: [String]

    /// The table of `docs/architecture.md`, by name.
    static let table: [String: Module] = {
        let page = ((try? SourceTree.file(at: "docs/architecture.md"))?.text ?? "").rows
        let rows = page.drop { $0.count != 5 || $0[1] != "folder" }.dropFirst(2)
        return rows.prefix { $0.count == 5 }.reduce(into: [:]) { $0[$1[1]] = Module(row: $1) }
    }()

    /// Pure values and rules, without imports, clocks, concurrency and files.
    var isPure: Bool {
        ["Encoding", "Purchases", "Entitlements", "Findings", "Runs"].contains(row[1])
    }
    /// A target of its own: reached by an import, which the compiler checks, not by a name.
    var isTarget: Bool { ["SQL", "AppStoreSimulator", "reconcile-job"].contains(row[1]) }

    /// A module that is not pure may also import the system's.
    func mayImport(_ name: String) -> Bool {
        let isOurs = Self.table.values.contains { $0.row[3].contains("`\(name)`") }
        return row[3].contains("`\(name)`") || !(isPure || isOurs || name == "reconcile_job")
    }

    func mayName(_ type: String, of other: String) -> Bool {
        isTarget || other == row[1]
            || !row[2].groups(#"(?<![/\w])\#(other)\b(?!/| \((?![^)]*`\#(type)`))"#).isEmpty
    }
}

/// The Swift and SQL files of the repository, and documents.
enum SourceTree {
    /// The folder that holds `Tests`, found from this file's path.
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(4).joined(separator: "/")

    static let files = ["Sources", "Tests", "sql", "Package.swift"]
        .flatMap { (try? paths(under: $0)) ?? [$0] }
        .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".sql") }.compactMap { try? file(at: $0) }

    static func file(at path: String) throws -> SourceFile {
        SourceFile(path, try String(contentsOfFile: root + "/" + path, encoding: .utf8))
    }

    static func paths(under folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder).sorted()
            .map { folder + "/" + $0 }
    }
}

struct SourceFile: Sendable {
    let path, text: String
    /// The text without comments. Each literal is `""`, followed by the code of its interpolations.
    let code: String
    let literals: [String]

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        (code, literals) = Self.split(text, path.hasSuffix(".sql") ? Self.sql : Self.swift)
    }

    var isSQL: Bool { path.hasSuffix(".sql") }
    var isRule: Bool { path.hasPrefix("Sources/Reconcile/Findings/Rules/") }

    /// A folder of the library (of `Apple` the folder within it), or another target. Nil for tests
    /// and the manifest.
    var module: String? {
        path.hasPrefix("sql/")
            ? "SQL" : path.groups("^Sources/(?:Reconcile/)?(Apple/[^/]+|[^/]+)/").first
    }

    func matches(_ pattern: String) -> [String] { code.groups(pattern) }

    /// A part of an interpolation, with brackets in it three deep.
    private static let part = (0..<3).reduce("[^()]") { inner, _ in #"(?:[^()]|\(\#(inner)*+\))"# }
    private static let sql = #"--[^\n]*+|/\*(?:/\*[\s\S]*?\*/|(?!\*/)[\s\S])*+\*/"#
    private static let swift = [
        sql.replacing("--", with: "//"), #"#/[\s\S]*?/#"#, #"(#+)("""|")[\s\S]*?\2\1"#,
        #""""(?:\\\(\#(part)*+\)|\\[\s\S]|(?!""")[\s\S])*+""""#,
        #""(?:\\\(\#(part)*+\)|\\.|[^"\\])*+""#,
    ].joined(separator: "|")

    /// Takes comments and literals out.
    private static func split(_ text: String, _ tokens: String) -> (String, literals: [String]) {
        let whole = text as NSString
        var code = ""
        var literals: [String] = []
        var end = 0
        for match in text.results(tokens) {
            code += whole.substring(with: NSRange(end..<match.range.location))
            end = match.range.upperBound
            let token = whole.substring(with: match.range)
            let hashes = token.prefix { $0 == "#" }
            let quotes = token.dropFirst(hashes.count).prefix { $0 == "\"" }.count
            guard quotes > 0 else { continue }
            let mark = hashes.count + (quotes > 2 ? 3 : 1)
            literals.append(String(token.dropFirst(mark).dropLast(mark)))
            // Literals within an interpolation are taken out in turn.
            let parts = token.groups(#"\\\#(hashes)\((\#(part)*+)\)"#)
            code += "\"\"" + parts.map { " \(split($0, tokens).0) " }.joined()
        }
        return (code + whole.substring(from: end), literals)
    }
}

extension String {
    /// The last group of each match of a pattern.
    func groups(_ pattern: String) -> [String] {
        results(pattern).map { match in
            let groups = (0..<match.numberOfRanges).reversed().map(match.range(at:))
            let range = groups.first { $0.location != NSNotFound } ?? match.range
            return (self as NSString).substring(with: range)
        }
    }

    fileprivate func results(_ pattern: String) -> [NSTextCheckingResult] {
        let expression = try? NSRegularExpression(pattern: pattern)
        precondition(expression != nil, "unreadable pattern: \(pattern)")
        return expression?.matches(in: self, range: NSRange(0..<utf16.count)) ?? []
    }
}

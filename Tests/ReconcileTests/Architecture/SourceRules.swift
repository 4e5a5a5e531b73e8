import Foundation

@testable import TestSupport

/// The rules about source text that a test can check: module dependencies, forbidden words, limits,
/// and what SQL may write. A rule reads text: it does not know types.
struct SourceRules: Sendable {
    private let table: FolderTable
    private let names: FolderNames

    init(_ files: [SourceFile], _ table: FolderTable = .documented) {
        self.table = table
        names = FolderNames(files, table)
    }

    /// Permissions of the table that these files do not need.
    func unusedPermissions(in files: [SourceFile]) -> [String] {
        names.unusedPermissions(in: files)
    }

    /// Each with the first line that has the text that it names.
    func violations(in file: SourceFile) -> [String] {
        let rules: [(SourceFile) -> [String]] =
            file.isSQL ? [Self.writes] : [Self.words, imports, Self.statements, names.violations]
        return (rules + [Self.limits]).flatMap { $0(file) }.map { violation in
            let parts = file.text.components(separatedBy: violation.groups("`([^`]*)`")[0])
            let line = parts.count == 1 ? 1 : parts[0].count { $0 == "\n" } + 1
            return "\(file.path):\(line): \(violation)"
        }
    }

    /// Words that some files may not have, and what to do instead.
    private struct Forbidden: Sendable {
        enum Location: Sendable {
            case everywhere
            /// In all files but the one whose path ends so.
            case everywhereBut(String)
            /// Outside the rules of findings, and the simulator.
            case outsideRules
            /// In the library and the programs, but for `main.swift`.
            case programs
            case library
            case pureFolders
        }

        let pattern: String
        let location: Location
        let advice: String

        init(_ pattern: String, in location: Location = .everywhere, _ advice: String) {
            self.pattern = pattern
            self.location = location
            self.advice = advice
        }

        func applies(to file: SourceFile) -> Bool {
            switch location {
            case .everywhere: true
            case .everywhereBut(let end): !file.path.hasSuffix(end)
            case .outsideRules: ![nil, "AppStoreSimulator"].contains(file.module) && !file.isRule
            case .programs: file.module != nil && !file.path.hasSuffix("/main.swift")
            case .library: ![nil, "reconcile-job"].contains(file.module)
            case .pureFolders: file.module.map(FolderTable.isPure) == true
            }
        }
    }

    private static let call = #"(?:(?<![.\w])|(?<=Glibc\.))(?<!func )"#
    private static let forbidden = [
        Forbidden("(@unchecked)", "Use an actor, a Mutex or a value."),
        Forbidden(
            #"(nonisolated\(unsafe\))"#, in: .everywhereBut("HTTP/CurlLoop.swift"),
            "There is one, for libcurl's multi handle."),
        Forbidden(
            #"\b(try!)"#, "Throw, or make the wrong state impossible in the types."),
        Forbidden(
            #"\#(call)(fatalError)\("#, "Throw; for a programmer's error preconditionFailure."),
        Forbidden(
            #"\b(SIMD\d+)\b"#, "Frames of async functions are not aligned to it (decision 90)."),
        Forbidden(
            #"\#(call)(Process)\("#, "It crashes on Linux at times. Use ChildProcess."),
        Forbidden(
            #"\b(row\.\w+\(\s*\d+\s*\)|(?:row|cells)\[\s*\d+\s*\])"#, in: .programs,
            "Take a column by its name."),
        Forbidden(
            #"\.(\#(kinds))\b|(switch) [\w.]*(?:finding|rule|identity)\.kind\b"#, in: .outsideRules,
            "Only a rule in Findings/Rules knows its kind of finding."),
        Forbidden(
            #"(?m)^(?:[a-z]+ )*(var)\b"#, in: .programs,
            "A global variable. State is an actor's or a Mutex's."),
        Forbidden(
            #"""
            (?<![.\w])(Task)(?:\s*(?:<[^>{]*>)?\s*[({]|\.(?:detached|immediate|init))
            """#, in: .library,
            "An unstructured task. Use a task group, so that cancelling the run cancels it."),
        Forbidden(
            #"""
            \#(call)((?:secure_)?getenv|(?:un)?setenv|(?:_|quick_)?exit|isatty|print|debugPrint|\#
            readLine|puts|printf)\(|\#(call)(write)\([12],|\.(standardOutput|standardError)\b|\#
            (?<![.\w])(environ|ProcessInfo|CommandLine|STD(?:OUT|ERR)_FILENO|std(?:out|err))\b
            """#, in: .library, "Only reconcile-job may. Pass it on as an argument."),
        Forbidden(
            #"""
            (?<![.\w])(Date|ContinuousClock|SuspendingClock|Task|await|async|actor|FileManager|\#
            FileHandle|contentsOf)\b|\.(now)\b|\#
            \#(call)(clock_gettime|time|withTaskGroup|withThrowingTaskGroup|fopen|open)\(
            """#, in: .pureFolders, "Rules are pure: take it as an argument (time is asOf)."),
    ]
    /// The names of kinds in code. `expired` is also a state of a subscription.
    private static let kinds = SourceTree.files.filter(\.isRule)
        .flatMap { $0.matches(#"let (?!expired )(\w+) = FindingKind\("#) }.joined(separator: "|")

    private static func words(_ file: SourceFile) -> [String] {
        forbidden.filter { $0.applies(to: file) }.flatMap { words in
            file.matches(words.pattern).map { "`\($0)`. \(words.advice)" }
        }
    }

    private func imports(_ file: SourceFile) -> [String] {
        guard let name = file.module else { return [] }
        guard table.rows[name] != nil else { return ["`\(name)` is not in the table."] }
        return file.imports.filter { !table.mayImport($0, into: name) }
            .map { "\(name) imports `\($0)`." }
    }

    private static let ofAllFiles: [(pattern: String, excess: String)] = [
        (#"(?m)^(.{101})"#, "over 100 columns")
    ]
    /// A function ends with the brace at its indent.
    private static let ofSwift: [(pattern: String, excess: String)] = [
        (#"\A((?:.*\n){300}[\s\S])"#, "over 300 lines"),
        (
            #"""
            (?m)^( *+)([@\w(). ]*\b(?:func|init|deinit|subscript|var)\b.*[{(,])\n\#
            (?:(?:\1[ )].*+)?\n){49,}\1\}
            """#, "over 50 lines"
        ),
    ]
    private static let kindsOfCode =
        "/(Utils|Helpers|Common|Models|Types|Extensions|Managers|Core|New)/"

    private static func limits(_ file: SourceFile) -> [String] {
        let excesses = (ofAllFiles + (file.isSQL ? [] : ofSwift)).flatMap { pattern, excess in
            file.text.groups(pattern).map { "`\($0.prefix(40))`: \(excess)." }
        }
        return excesses
            + file.path.groups(kindsOfCode).map { "`\($0)`: kind instead of subject." }
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
    private static let targets = [
        #"(?:insert|merge)\s+into\s+([^\s,;()]+)"#,
        #"(?<!distinct )\bdelete\s+from\s+(?:only\s+)?([^\s,;()]+)"#,
        #"update\s+(?:only\s+)?([^\s,;()]+)(?:\s+as\s+\w+|\s+\w+)?\s+set\s"#,
        #"truncate\s+(?:table\s+)?(?:only\s+)?([^\s,;()]+)"#,
        #"copy\s+([^\s,;()]+)(?:\s*\([^)]*\))?\s+from\b"#,
        #"""
        (?:create|alter|drop)\s+(?:or\s+replace\s+)?\#
        (?:table|(?:materialized\s+)?view|function|sequence|type)\s+\#(exists)([^\s,;()]+)
        """#,
        #"""
        (?:create|alter|drop)\s+(?:unique\s+)?(?:index|trigger|policy)\s[^;]*?\s\#
        on\s+([^\s,;()]+)
        """#,
        #"(?:create|alter|drop)\s+schema\s+\#(exists)(?!reconcile\b)(\w+)"#,
        #"""
        (?:create|alter|drop)\s+role\s+\#(exists)\#
        (?!reconcile_(?:job|service|reader|evidence|receipts)\b)(\w+)
        """#,
        #"(?:create|drop)\s+(extension|database|server|user)\s"#,
    ]

    /// Statements that write outside schema `reconcile`, temporary tables apart.
    private static func writes(_ file: SourceFile) -> [String] {
        let mayWriteApp = [
            "sql/reference_app.sql", "sql/queries/reference.sql", "sql/queries/service.sql",
        ]
        guard !mayWriteApp.contains(file.path) else { return [] }
        let temporary = file.matches(#"(?i)create\s+temp(?:orary)?\s+table\s+(\w+)"#)
        return targets.flatMap { file.matches(#"(?i)\b"# + $0) }.filter { target in
            let name = target.lowercased()
            return !["reconcile.", "pg_temp."].contains(where: name.hasPrefix)
                && !(temporary + ["on", "or"]).contains(name)
        }.map { "writes `\($0)`. Only schema reconcile is ours." }
    }
}

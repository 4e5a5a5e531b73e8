import Foundation
import Testing

@testable import TestSupport

/// Steps of an operator, a line each:
///
/// - SQL: a `select` with the values that it returns, or another statement.
/// - `asks` with the number of requests to Apple so far, or `ties` for reports that tie out.
/// - A shell's command with its exit status, in the scene's folder. `job` is the program with the
///   scene's database, `run` a nightly run with the scene's flags, and `"$0"` the bare program.
///
/// Further cells of a command are texts in the last line of stderr, or after a mark: `>` in the
/// output, `2>` on stderr, `!` in neither, `$` at the end of the last line, `=` the whole output,
/// `~` a regular expression for the output, and `2~` one for stderr.
struct Session: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate(set) var steps: [[String]] = []

    /// Sessions under their sentences, which begin with "#".
    static func all(_ text: String) -> [Session] {
        textTable(text).reduce(into: []) { sessions, row in
            if row[0].hasPrefix("# ") {
                sessions.append(Session(testDescription: String(row[0].dropFirst(2))))
            } else {
                sessions[sessions.count - 1].steps.append(row)
            }
        }
    }
}

/// A world in which an operator acts.
protocol OperatorScene {
    var test: TestDatabase { get }
    var folder: TemporaryFolder { get }
    /// The number of requests to Apple.
    var asked: Int { get }
    /// Variables of the commands.
    var environment: [String: String] { get }
    /// The command line of a nightly run.
    func nightly() throws -> [String]
}

extension NightScene: OperatorScene {
    var asked: Int { apple.asks.count }
    var environment: [String: String] { ["PGPASSWORD": Self.canary] }
    func nightly() -> [String] { arguments([]) }
}

extension StrangerScene: OperatorScene {
    var asked: Int { apple.requests.count }
    var environment: [String: String] { ["PGPASSWORD": Self.password] }
    func nightly() throws -> [String] { try arguments([]) }
}

extension OperatorScene {
    func play(_ session: Session) async throws {
        for step in session.steps { _ = try await take(step) }
    }

    /// - Returns: the last command.
    @discardableResult
    func steps(
        _ lines: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JobProcess {
        var last: JobProcess?
        for row in textTable(lines) { last = try await take(row, sourceLocation) ?? last }
        return try #require(last, sourceLocation: sourceLocation)
    }

    private func take(
        _ row: [String], _ place: SourceLocation = #_sourceLocation
    ) async throws -> JobProcess? {
        let command = try await filled(row[0])
        switch command.prefix(while: \.isLetter) {
        case "select":
            let values = try await test.texts(command).map { $0 ?? "null" }.joined(separator: ",")
            #expect(values == row[1], "\(command)", sourceLocation: place)
        case "asks": #expect("\(asked)" == row[1], sourceLocation: place)
        case "ties": try PublishedReports(publishedFolder).expectToTieOut()
        case "insert", "update", "delete", "truncate", "drop", "create", "alter", "grant", "revoke":
            try await test.execute(command)
        default:
            let script = try await filled(
                """
                cd $FOLDER; job() { DATABASE_URL=\(test.url) "$0" "$@"; }
                run() { "$0" run $NIGHTLY "$@"; }; \(command)
                """)
            let variables = environment.merging(["PATH": "/usr/bin:/bin", "STEP": script]) { $1 }
            let job = try await RunningJob(
                [], environment: variables, launcher: "/bin/sh -c \"$STEP\""
            ).end()
            var step = [command]
            for cell in row.dropFirst() { step.append(try await filled(cell)) }
            job.expect(step, place)
            return job
        }
        return nil
    }

    /// The text with the values of its variables.
    private func filled(_ text: String) async throws -> String {
        guard text.contains(#/\$[A-Z]/#) else { return text }
        let flags = try nightly().dropFirst()
        func only(_ names: Regex<Substring>) -> String {
            flags.filter { $0.contains(names) }.joined(separator: " ")
        }
        let runs = text.contains(#/\$(RUN|OLDEST)/#) ? try await self.runs : []
        let finding = text.contains("$FINDING") ? try await expiredFinding() : ""
        let values = [
            "FOLDER": folder.path, "ROLE": test.name, "LOGIN": test.url(user: test.name),
            "NIGHTLY": only(/./), "APPLE": only(/^--(?:prod|sandbox|shared|as-of)/),
            "DOCTOR": only(/^--(?:prod|sandbox|shared|database|reports)/),
            "OLDEST": runs.min() ?? "", "FINDING": finding,
        ]
        return text.replacing(#/\$([A-Z]+)(\d?)/#) { match in
            let place = (Int(match.2) ?? 0) - 1
            guard match.1 == "RUN" else { return values[String(match.1)] ?? String(match.0) }
            return runs.indices.contains(place) ? runs[place] : String(match.0)
        }
    }

    var reports: String { folder.path + "/reports" }

    /// The ids of all runs, in the order of their beginnings.
    var runs: [String] {
        get async throws {
            try await test.texts("select run_id from reconcile.run order by run_no")
                .compactMap(\.self)
        }
    }

    /// The run that `latest` leads to.
    var publishedRun: String {
        get throws {
            try FileManager.default.destinationOfSymbolicLink(atPath: reports + "/latest")
        }
    }
    var publishedFolder: String { get throws { try reports + "/" + publishedRun } }

    /// The first column of the first row.
    func first(_ sql: String) async throws -> String {
        try #require(try await test.texts(sql).first ?? nil)
    }

    func expiredFinding() async throws -> String {
        try await first(
            "select finding_id from reconcile.finding where kind = 'expired_still_granted'")
    }
}

extension JobProcess {
    /// - Parameter cells: texts as in a `Session`.
    @discardableResult
    func ends(
        _ status: Int32 = 0, _ cells: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> JobProcess {
        expect(["", "\(status)"] + cells, sourceLocation)
        return self
    }

    fileprivate func expect(_ step: [String], _ place: SourceLocation) {
        let said = step.joined(separator: " | ") + "\n" + output + error
        #expect("\(status)" == step[1], "\(said)", sourceLocation: place)
        for cell in step.dropFirst(2) {
            let text = String(cell.drop { $0 != " " }.dropFirst())
            let isAsExpected =
                switch cell.prefix(while: { $0 != " " }) {
                case ">": output.contains(text)
                case "2>": error.contains(text)
                case "!": !(output + error).contains(text)
                case "$": lastLine.hasSuffix(text)
                case "=": output == text || output == text + "\n"
                case "~": (try? Regex(text)).map(output.contains) ?? false
                case "2~": (try? Regex(text)).map(error.contains) ?? false
                default: lastLine.contains(cell)
                }
            #expect(isAsExpected, "\(cell) in \(said)", sourceLocation: place)
        }
    }
}

extension TemporaryFolder {
    /// Makes the folder `roots`, with the root certificate of the tests' receipts.
    func writeRoots() throws {
        let roots = URL(fileURLWithPath: path + "/roots")
        try FileManager.default.createDirectory(at: roots, withIntermediateDirectories: false)
        try Data(ReceiptAuthority.shared.root.der).write(to: roots.appending(path: "root.cer"))
    }
}

extension AppleAnswer {
    /// The instant so many days after `asOf`.
    static func day(_ days: Double) -> String {
        Date(timeIntervalSince1970: 1_795_140_000 + days * 86_400).ISO8601Format()
    }
}

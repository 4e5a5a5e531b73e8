import Foundation
import Testing

@testable import TestSupport

/// Steps of an operator under a sentence, a line each:
///
/// - SQL: a `select` with the values that it returns, or another statement.
/// - A shell's command with its exit status, in the scene's folder. `job` is the program with the
///   scene's database, `run` a nightly run with the scene's flags, and `"$0"` the bare program.
///
/// Further cells of a command are texts in the last line of stderr, or after a mark: `>` in the
/// output, `2>` on stderr, `!` in neither, `$` at the end of the last line, `=` the whole output,
/// `~` a regular expression for the output, and `2~` one for stderr. "¶" is a line break.
struct Session: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String

    /// Sessions, each after its sentence, which begins with "# ".
    static func all(_ text: String) -> [Session] {
        ("\n" + text).split(separator: "\n# ").map { session in
            let parts = session.split(separator: "\n", maxSplits: 1).map(String.init)
            return Session(testDescription: parts[0], steps: parts[1])
        }
    }
}

/// A world in which an operator acts.
protocol OperatorScene: JobScene {
    /// Variables of the commands, such as the number of requests to Apple.
    var variables: [String: String] { get }
}

extension StrangerScene: OperatorScene { var variables: [String: String] { [:] } }

extension NightScene: OperatorScene {
    var variables: [String: String] { ["ASKED": "\(apple.asks.count)"] }

    /// Another command than `run`, with the database's flag.
    func command(_ arguments: String...) throws -> JobProcess {
        try JobProcess(arguments + ["--database=\(database)"])
    }
}

extension OperatorScene {
    /// The ids of all runs, the oldest first.
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

    /// The first column of the first row.
    func first(_ sql: String) async throws -> String {
        try #require(try await test.texts(sql).first ?? nil)
    }

    /// - Returns: the last command.
    @discardableResult
    func steps(
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JobProcess {
        var last: JobProcess?
        for row in textTable(text) { last = try await take(row, sourceLocation) ?? last }
        return try #require(last, sourceLocation: sourceLocation)
    }

    private func take(_ row: [String], _ place: SourceLocation) async throws -> JobProcess? {
        let command = try await filled(row[0])
        if command.hasPrefix("select ") {
            let values = try await test.texts(command).map { $0 ?? "null" }.joined(separator: ",")
            #expect(values == row[1], "\(command)", sourceLocation: place)
            return nil
        }
        let sql = #/(insert|update|delete|truncate|drop|create|alter|grant|revoke|do) /#
        if command.starts(with: sql) {
            try await test.execute(command)
            return nil
        }
        let script = try await filled(
            """
            cd $FOLDER; job() { DATABASE_URL=\(test.url) "$0" "$@"; }
            run() { "$0" run $NIGHTLY "$@"; }; \(command)
            """)
        let variables = ["PATH": "/usr/bin:/bin", "STEP": script, "PGPASSWORD": Self.password]
        let shell = "/bin/sh -c \"$STEP\""
        let job = try await RunningJob([], environment: variables, launcher: shell).end()
        var cells: [String] = []
        for cell in row.dropFirst(2) { cells.append(try await filled(cell)) }
        return job.expect(row[1], cells, command, place)
    }

    /// The text with the values of its variables.
    private func filled(_ text: String) async throws -> String {
        guard text.contains(#/\$[A-Z]/#) else { return text }
        let flags = try arguments([]).dropFirst()
        func only(_ names: Regex<Substring>) -> String {
            flags.filter { $0.contains(names) }.joined(separator: " ")
        }
        var values = variables.merging([
            "FOLDER": folder.path, "ROLE": test.name, "LOGIN": test.url(user: test.name),
            "NIGHTLY": only(/./), "APPLE": only(/^--(?:prod|sandbox|shared|as-of)/),
            "DOCTOR": only(/^--(?:prod|sandbox|shared|database|reports)/),
        ]) { $1 }
        if text.contains(#/\$(RUN|OLDEST|FINDING)/#) {
            let runs = try await self.runs
            for (place, run) in runs.enumerated() { values["RUN\(place + 1)"] = run }
            values["OLDEST"] = runs.min()
            let finding =
                "select finding_id from reconcile.finding where kind = 'expired_still_granted'"
            values["FINDING"] = try await test.texts(finding).first ?? nil
        }
        return text.replacing(#/\$([A-Z]+\d?)/#) { values[String($0.1)] ?? String($0.0) }
    }
}

extension JobProcess {
    /// - Parameter cells: texts as in a `Session`, between " | ".
    @discardableResult
    func ends(
        _ status: Int32, _ cells: String, sourceLocation: SourceLocation = #_sourceLocation
    ) -> JobProcess {
        expect("\(status)", textTable(cells)[0], "", sourceLocation)
    }

    /// Expects this exit status, and these texts in the output and in the last line of stderr.
    /// - Parameters:
    ///   - ending: of the last line.
    ///   - never: neither in the output nor on stderr.
    @discardableResult
    func ends(
        _ status: Int32 = 0, out: [String] = [], last: [String] = [], ending: String = "",
        never: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) -> JobProcess {
        let cells = out.map { "> " + $0 } + last + ["$ " + ending] + never.map { "! " + $0 }
        return expect("\(status)", cells, "", sourceLocation)
    }

    fileprivate func expect(
        _ status: String, _ cells: [String], _ step: String, _ place: SourceLocation
    ) -> JobProcess {
        let said = Comment(rawValue: "\(step)\n\(output)\(error)")
        #expect("\(self.status)" == status, said, sourceLocation: place)
        for cell in cells {
            let text = String(cell.drop { $0 != " " }.dropFirst()).replacing("¶", with: "\n")
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
        return self
    }
}

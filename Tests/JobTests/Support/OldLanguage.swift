import Foundation
import SQL
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
struct TextSession: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String

    /// Sessions, each after its sentence, which begins with "# ".
    /// - Parameter start: of the steps of each.
    static func all(_ text: String, after start: String = "") -> [TextSession] {
        ("\n" + text).split(separator: "\n# ").map { session in
            let parts = session.split(separator: "\n", maxSplits: 1).map(String.init)
            return TextSession(testDescription: parts[0], steps: start + "\n" + parts[1])
        }
    }
}

extension Session {
    /// - Returns: the last command.
    @discardableResult
    func steps(
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JobProcess {
        var last: JobProcess?
        for row in text.rows { last = try await take(row, sourceLocation) ?? last }
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
            job() { DATABASE_URL=\(test.url) "$0" "$@"; }; run() { "$0" run $NIGHTLY "$@"; }
            \(command)
            """)
        let job = try await process(script).finish()
        let cells = try await filled(row.dropFirst(2).joined(separator: " | "))
        return job.ends(try #require(Int32(row[1])), cells, after: command, place)
    }

    /// The text with the values of its variables.
    func filled(_ text: String) async throws -> String {
        guard text.contains(#/\$[A-Z]/#) else { return text }
        func only(_ names: Regex<Substring>) -> String {
            flags.filter { $0.contains(names) }.joined(separator: " ")
        }
        let login = test.url(user: test.name)
        let keys = "--database=\(login) --download-key-file=\(folder.path)/keys"
        var values = [
            "FOLDER": folder.path, "ROLE": test.name, "LOGIN": login, "KEYS": keys,
            "DATABASE": test.url, "NIGHTLY": only(/^/), "ASKED": "\(apple.asks.count)",
            "APPLE": only(/^--(?:prod|sandbox|shared|as-of)/),
            "DOCTOR": only(/^--(?:prod|sandbox|shared|database|reports)/),
            "SIGNED": "\(keys) " + only(/^--(?:prod|sandbox|rate|backoff)/),
            "SERVICE": "\(keys) --max-attempts=2 --ask-unsigned "
                + only(/^--(?:prod|sandbox|rate|backoff)/),
        ]
        if text.contains(#/\$(RUN|OLDEST|FINDING)/#) {
            let runs = try await runs()
            for (index, run) in runs.enumerated() { values["RUN\(index + 1)"] = run }
            values["OLDEST"] = runs.min()
            let found = try await test.texts(
                "select finding_id from reconcile.finding where kind = 'expired_still_granted'")
            values["FINDING"] = found.first ?? nil
        }
        return text.replacing(#/\$([A-Z]+\d?)/#) { values[String($0.1)] ?? String($0.0) }
    }
}

extension JobProcess {
    /// - Parameter cells: texts as in a `TextSession`, between " | ".
    @discardableResult
    func ends(
        _ status: Int32 = 0, _ cells: String = "", after step: String = "",
        _ place: SourceLocation = #_sourceLocation
    ) -> JobProcess {
        let said = Comment(rawValue: "\(step)\n\(output)\(error)")
        #expect(self.status == status, said, sourceLocation: place)
        for cell in cells.rows.first ?? [] {
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

extension JobProcess {
    static func shell(
        _ script: String, environment: [String: String] = [:], in folder: String? = nil
    ) async throws -> JobProcess {
        try await ConcurrencyLimit.respected {
            try await ChildProcess(script, environment: environment, in: folder).finish()
        }
    }
}

extension Session {
    /// For sessions, over `latest` or another folder $FROM: `sh kinds` prints "kind user" of each
    /// line of some or all files, and `sh summary` the summary without blanks. `sh forge` changes a
    /// file by a program in Perl, and lets the manifest and SHA256SUMS match it.
    static let scripts = [
        "kinds": #"""
        for file in ${*:-expirations refunds mismatches receipts cleared}; do
            echo $file: $(sed -nE 's/.*"kind":"(\w+)".*"user_id":"(\w+)".*/\1 \2/p' \
                ${FROM:-reports/latest}/$file.json)
        done | paste -sd';'
        """#,
        "forge": #"""
        cd reports/latest && perl -0pi -e "$2" $1 && ! cmp -s $1 ../../whole/$1 || exit 9
        digest() { sha256sum < $1| cut -c-64; }
        old=$(digest ../../whole/$1) new=$(digest $1) sums=$(digest SHA256SUMS)
        perl -pi -e "s/$old/$new/" SHA256SUMS
        perl -0pi -e "s/$old/$new/; s/$sums/$(digest SHA256SUMS)/;
            s/(\"name\": \"$1\",[^}]*\"bytes\": )\d+/\${1}$(wc -c < $1)/" manifest.json
        """#,
        "roles.sql": SQL.roles.text,
        "summary": #"tr -d ' \n' < ${FROM:-reports/latest}/summary.json"#,
    ]

    func startShell(_ more: String) throws -> ChildProcess {
        try process("exec reconcile-job run \(flags.joined(separator: " ")) \(more)")
    }

    /// A shell in the scene's folder with the role's password.
    private func process(_ script: String) throws -> ChildProcess {
        try ChildProcess(script, environment: ["PGPASSWORD": Self.password], in: folder.path)
    }
}

extension ChildProcess {
    convenience init(
        _ script: String, environment: [String: String] = [:], in folder: String? = nil
    ) throws {
        let programs = Bundle.main.bundleURL.path
        var all = ProcessInfo.processInfo.environment.filter { name, _ in
            ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains(name)
        }
        all["PATH"] = programs + ":/usr/local/bin:/usr/bin:/bin"
        try self.init(
            "/bin/sh", ["-c", script, programs + "/reconcile-job"],
            environment: all.merging(environment) { $1 }, in: folder)
    }
}

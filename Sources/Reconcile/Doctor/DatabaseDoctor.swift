/// Looks at the database's side of a set-up, and judges nobody: each check is a line or more,
/// whatever the others come to.
package struct DatabaseDoctor: Sendable {
    let database: Database
    let now: @Sendable () -> Instant

    package init(_ database: Database, now: @escaping @Sendable () -> Instant) {
        self.database = database
        self.now = now
    }

    /// - Parameter allowsWritableRole: whether a run is told to take such a role.
    package func server(allowsWritableRole: Bool) async -> [Diagnosis] {
        var found = await lines("server") {
            guard let server = try await database.survey.server() else { return [] }
            let name = "PostgreSQL \(server.version), \(server.encoding)"
            return [
                server.versionNumber >= 130_000
                    ? .ok("server", name)
                    : .problem("server", "\(name): version 13 or later is needed."),
                ClockCheck.diagnosis("server clock", server.time, now: now()),
            ]
        }
        found += await lines("schema") {
            try await database.schema.check()
            return [.ok("schema", "is the one that this program's migrations make")]
        }
        found += await rights(allowsWritableRole)
        return found
    }

    private func rights(_ allowsWritableRole: Bool) async -> [Diagnosis] {
        var found = await lines("rights") {
            try await database.privileges.checkNeeded()
            return [.ok("rights", "the role may read the views and write the job's own tables")]
        }
        found += await lines("read-only role", as: allowsWritableRole ? .warning : .problem) {
            let hidden = try await database.privileges.checkReadOnlyRole()
            return hidden.isEmpty
                ? [.ok("read-only role", "the role cannot change what it is to check")]
                : hidden.map { .warning("read-only role", $0) }
        }
        return found
    }

    /// The views: their form, and if that is right what they show.
    package func views() async -> [Diagnosis] {
        do throws(DatabaseError) {
            try await database.views.check()
        } catch {
            guard case .sourceData(let problems) = error.reason else {
                return [.problem("views", error.description)]
            }
            return problems.map { .problem("views", $0 + ViewAdvice.advice(for: $0)) }
        }
        var lines: [Diagnosis] = [.ok("views", "all five are there, with the right columns")]
        lines += await receipts() + entitlements() + catalog()
        return lines
    }

    /// The lines of `look`, or one with what it failed of.
    func lines(
        _ name: String, as verdict: Diagnosis.Verdict = .problem,
        _ look: () async throws -> [Diagnosis]
    ) async -> [Diagnosis] {
        do {
            return try await look()
        } catch let error as DatabaseError {
            return [Diagnosis(name, verdict, error.description)]
        } catch {
            return [Diagnosis(name, verdict, "\(error)")]
        }
    }
}

/// What to do about a view that is not as it should be, beside what is wrong.
enum ViewAdvice {
    static func advice(for problem: String) -> String {
        problem.contains("is missing")
            ? " Make it as the README's second step shows, or see `migrate --with-reference-app`."
            : " Where `create or replace view` refuses, `drop view` it first: it cannot change the"
                + " type of a column."
    }
}

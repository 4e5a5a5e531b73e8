/// Checks the database server, the schema and the privileges. A failed check stops no other.
package struct DatabaseDoctor: Sendable {
    let database: Database
    let now: @Sendable () -> Instant

    package init(_ database: Database, now: @escaping @Sendable () -> Instant) {
        self.database = database
        self.now = now
    }

    package func server(allowsWritableRole: Bool) async -> [Diagnosis] {
        var found = await Diagnosis.lines("server") {
            guard let server = try await database.survey.server() else { return [] }
            let name = "PostgreSQL \(server.version), \(server.encoding)"
            return [
                server.versionNumber >= 130_000
                    ? .ok("server", name)
                    : .problem("server", "\(name): version 13 or later is needed."),
                ClockCheck.diagnosis("server clock", server.time, now: now()),
            ]
        }
        found += await Diagnosis.lines("schema") {
            try await database.schema.check()
            return [.ok("schema", "matches this release's migrations")]
        }
        found += await rights(allowsWritableRole)
        return found
    }

    private func rights(_ allowsWritableRole: Bool) async -> [Diagnosis] {
        var found = await Diagnosis.lines("rights") {
            try await database.privileges.checkNeeded()
            return [.ok("rights", "the role may read the views and write the job's own tables")]
        }
        found += await Diagnosis.lines(
            "read-only role", as: allowsWritableRole ? .warning : .problem
        ) {
            let hidden = try await database.privileges.checkReadOnlyRole()
            return hidden.isEmpty
                ? [.ok("read-only role", "the role cannot change receipts or entitlements")]
                : hidden.map { .warning("read-only role", $0) }
        }
        return found
    }
}

internal import SQL

package struct PrivilegeStore: Sendable {
    let session: DatabaseSession

    /// Throws `standby` or `readOnly` when no role may write.
    package func requireWritable() async throws(DatabaseError) {
        let server = try await SurveyStore(session: session).server()
        guard let server, server.isReadOnly else { return }
        throw DatabaseError(
            server.isStandby ? .standby : .readOnly, statement: SQL.describeServer.name)
    }

    /// Throws `accessDenied` when the role lacks privileges on a view or on the job's own tables,
    /// `standby` or `readOnly` when no role may write. Checked first, so that a run does not fail
    /// at its end.
    package func checkNeeded() async throws(DatabaseError) {
        try await requireWritable()
        let views = PostgresArray.text(ViewContract.all.map(\.name))
        let missing = try await session.read(SQL.findMissingPrivileges, [views]) { row in
            (privilege: try row.text("privilege"), relation: try row.text("relation"))
        }
        guard !missing.isEmpty else { return }
        let words = [
            ("select", "to select from"), ("insert", "to insert into"), ("update", "to update"),
            ("delete", "to delete from"),
        ]
        let parts = words.compactMap { privilege, words -> String? in
            let relations = missing.filter { $0.privilege == privilege }.map(\.relation)
            return relations.isEmpty ? nil : "\(words) \(relations.joined(separator: ", "))"
        }
        throw DatabaseError(
            .accessDenied("no privilege " + parts.joined(separator: ", nor ")),
            statement: SQL.findMissingPrivileges.name)
    }

    /// Throws `writableRole` when the role could change receipts or entitlements: by a privilege on
    /// any relation behind their views, as an owner or superuser, with `createrole`, or by access
    /// to the server's files. Roles that it can assume count too, and column privileges count as
    /// table privileges.
    ///
    /// Not detected: `security definer` functions, the team's triggers and cascades, and privileges
    /// on a foreign server.
    /// - Returns: a warning for each function that hides the relations behind a view.
    package func checkReadOnlyRole() async throws(DatabaseError) -> [String] {
        let judged = PostgresArray.text(["stored_receipts", "stored_entitlements"])
        let found = try await session.read(SQL.findWritableRelations, [judged]) { row in
            WritableRelation(
                role: try row.text("role_name"), relation: try row.optionalText("name"),
                privileges: try row.optionalText("held"), view: try row.optionalText("through"))
        }
        let writable = found.filter { $0.privileges != nil }
        guard writable.isEmpty else {
            let anywhere = writable.filter { $0.relation == nil }
            throw DatabaseError(
                .writableRole((anywhere.isEmpty ? writable : anywhere).map(\.sentence)),
                statement: SQL.findWritableRelations.name)
        }
        return found.compactMap(\.relation).map { function in
            "A view calls function \(function), so the tables behind it are unknown. Whether the "
                + "role may write to them was not checked: check its privileges."
        }
    }
}

private struct WritableRelation: Sendable {
    let role: String
    /// Nil when the role may change any relation. For a function, its name.
    let relation: String?
    /// Separated by spaces; nil for a function, whose body was not checked.
    let privileges: String?
    /// The view whose owner's privileges apply.
    let view: String?

    /// Without a full stop.
    var sentence: String {
        guard let relation else {
            return switch privileges {
            case "createrole":
                "The database role \(role) may create roles and grant itself privileges"
            case "server": "The database role \(role) may use the server's files or programs"
            default: "The database role \(role) is a superuser"
            }
        }
        let held = privileges?.split(separator: " ").map(String.init) ?? []
        let writes = held.filter { $0 != "own" }.joined(separator: ", ")
        let object = held.contains("own") ? "owns" : "may \(writes) in"
        guard let view else { return "The database role \(role) \(object) \(relation)" }
        return "By its privilege to write to reconcile.\(view), the database role acts as \(role), "
            + "which \(object) \(relation)"
    }
}

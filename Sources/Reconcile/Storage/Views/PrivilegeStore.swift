internal import SQL

/// What the connected role may do.
package struct PrivilegeStore: Sendable {
    let session: DatabaseSession

    /// Throws `accessDenied` when the role may not read one of the views, or not read and write
    /// the job's own tables: at the end of the night it would be too late to know.
    package func checkNeeded() async throws(DatabaseError) {
        let views = PostgresArray.text(ViewContract.all.map(\.name))
        let missing = try await session.read(SQL.findMissingRights, [views]) {
            row throws(PostgresError) in
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
            .accessDenied("no right " + parts.joined(separator: ", nor ")),
            statement: SQL.findMissingRights.name)
    }

    /// Throws `writableRole` when the role could change a receipt or an entitlement: by a right on
    /// any relation beneath their views, as its owner, as a superuser, as one who may make roles,
    /// or by the server's files. A role that it could become counts as the role, and a column as
    /// its table.
    ///
    /// What no catalogue tells is not seen: a function of the definer's rights, a trigger or a
    /// cascade of the team's, the rights of another server behind a foreign table.
    /// - Returns: a sentence for each function that hides what is beneath a view.
    package func checkReadOnlyRole() async throws(DatabaseError) -> [String] {
        let judged = PostgresArray.text(["stored_receipts", "stored_entitlements"])
        let found = try await session.read(SQL.findWritableRelations, [judged]) {
            row throws(PostgresError) in
            WritableRelation(
                role: try row.text("role_name"), relation: try row.optionalText("name"),
                rights: try row.optionalText("held"), view: try row.optionalText("through"))
        }
        let writable = found.filter { $0.rights != nil }
        guard writable.isEmpty else {
            let anywhere = writable.filter { $0.relation == nil }
            throw DatabaseError(
                .writableRole((anywhere.isEmpty ? writable : anywhere).map(\.sentence)),
                statement: SQL.findWritableRelations.name)
        }
        return found.compactMap(\.relation).map { function in
            "A view is made by function \(function), which hides the tables that it reads: whether "
                + "the role may write in them was not checked. See that it may not."
        }
    }
}

/// What a role may write in beneath the views.
private struct WritableRelation: Sendable {
    let role: String
    /// Nil: of any relation, since the role is a superuser or as good. Of a function: its name.
    let relation: String?
    /// Words with spaces between; nil for a function, which was not looked into.
    let rights: String?
    /// The view whose owner lends the rights.
    let view: String?

    /// Without its full stop.
    var sentence: String {
        guard let relation else {
            return switch rights {
            case "createrole": "The database role \(role) may make roles, and give itself rights"
            case "server": "The database role \(role) may use the server's files or programs"
            default: "The database role \(role) is a superuser"
            }
        }
        let rights = rights?.split(separator: " ").map(String.init) ?? []
        let privileges = rights.filter { $0 != "own" }.joined(separator: ", ")
        let object = rights.contains("own") ? "owns" : "may \(privileges) in"
        guard let view else { return "The database role \(role) \(object) \(relation)" }
        return "By its right to write in reconcile.\(view), the database role acts for \(role), "
            + "which \(object) \(relation)"
    }
}

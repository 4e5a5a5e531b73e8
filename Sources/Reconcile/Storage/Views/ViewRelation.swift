internal import SQL

/// A relation that one of the team's views reads; the view itself is one too.
struct ViewRelation: Sendable {
    let view: String
    let oid: Int
    /// Of a foreign table.
    let server: String?
}

extension PostgresConnection {
    /// All relations that `views` read, also by other views and as partitions, sorted by view and
    /// server.
    func relations(below views: [String]) throws -> [ViewRelation] {
        try query(PostgresStatement(SQL.relationsBelowViews), [PostgresArray.text(views)]) { row in
            ViewRelation(
                view: try row.text("view_name"), oid: try row.int("relation"),
                server: try row.optionalText("server_name"))
        }
    }
}

extension [ViewRelation] {
    /// The foreign servers by view, each once.
    var servers: [String: [String]] {
        var servers: [String: [String]] = [:]
        for relation in self {
            guard let server = relation.server, servers[relation.view]?.last != server else {
                continue
            }
            servers[relation.view, default: []].append(server)
        }
        return servers
    }
}

internal import CPostgres

/// Prepares statements that repeat, such as those for each batch, once a connection.
extension PostgresConnection {
    /// The name of the prepared statement. Nil on a statement's first execution, because most
    /// statements of a run are executed once.
    func plan(of statement: PostgresStatement) throws(PostgresError) -> String? {
        guard let known = plans[statement] else {
            plans[statement] = .some(nil)
            return nil
        }
        if let known { return known }
        plansMade += 1
        let name = "reconcile_\(plansMade)"
        let result = PQprepare(handle, name, text(of: statement), 0, nil)
        defer { PQclear(result) }
        try expect(result, [PGRES_COMMAND_OK], statement)
        plans[statement] = name
        return name
    }

    /// SQLSTATEs of a plan whose result types have changed, because a view was replaced, and of one
    /// that the server no longer has. The plans are then prepared again.
    static var lostPlan: Set<String> { ["0A000", "26000"] }
}

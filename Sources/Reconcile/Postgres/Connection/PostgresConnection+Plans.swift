internal import CPostgres

/// Statements that come again, once for each batch, are parsed and planned once a connection.
extension PostgresConnection {
    /// The name under which the server keeps a plan of `statement`. Nil the first time that this
    /// connection runs it: most statements of a run come once.
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

    /// The SQLSTATEs of a plan whose result has other types by now, since a view was replaced, and
    /// of one that the server has no more. All are made anew when their statements come again.
    static var lostPlan: Set<String> { ["0A000", "26000"] }
}

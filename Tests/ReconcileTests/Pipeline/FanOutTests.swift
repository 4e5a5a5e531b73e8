import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, add a table to the first test.
@Suite("A view that fans out during a run", .database, .hangLimit)
struct FanOutTests: DatabaseSuite {
    @Test(
        "A view that comes to return an id twice is named", arguments: ["receipt", "entitlement"])
    func fanOut(row: String) async throws {
        let batch = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "bob"))
        try await store(["r1": "ann", "r2": "bob"])
        try await test.store(entitlement: "e1", of: "ann")
        try await execute("insert into team.\(row)s select * from team.\(row)s where who = 'ann'")
        let error = try await databaseError { try await database.portions(of: batch) }
        #expect(error.reason == Self.repeated(row, row == "receipt" ? "r1" : "e1"))
    }

    private static func repeated(_ row: String, _ id: String) -> DatabaseError.Reason {
        .sourceData([
            "reconcile.stored_\(row)s holds the \(row)_id “\(id)” more than once."
                + " Return one row for it."
        ])
    }

    @Test("A view that fans out ends the run; the next one requests only the other users")
    func fanOut() async throws {
        try await fill(users: 60)
        let asked = Shared(0)
        // The last of all users, who is not read when the first request is sent.
        let doubled = "team.entitlements where who = 'u9'"
        let apple = try ScriptedApple { [test] ask in
            if asked.update({ $0 += 1 }) == 1 {
                Gate.blocking {
                    try await test.execute(
                        "insert into team.entitlements select * from \(doubled)")
                }
            }
            return [.valid(ask)]
        }
        let pass = try await Pass(database, apple, usersPerBatch: 4, inFlight: 2)
        let error = try await databaseError { try await pass.reconcile() }
        #expect(error.reason == Self.repeated("entitlement", "e-u9"))
        let recorded = "select count(*)::text from reconcile.user_result"
        let count = try #require(try await texts(recorded).compactMap(\.self).first)
        let before = apple.asks.count
        try await execute(
            "delete from \(doubled) and ctid = (select max(ctid) from \(doubled))")
        try await pass.reconcile()
        #expect(apple.asks.count - before == 60 - (Int(count) ?? 0))
        #expect(try await pass.summary().receipts[.verified] == 60)
    }
}

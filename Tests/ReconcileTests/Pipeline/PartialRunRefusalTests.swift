import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, add a status or a scope to its table.
@Suite("A refused receipt in a partial run", .database, .hangLimit)
struct PartialRunRefusalTests: DatabaseSuite {
    private let user = Run.Scope.selected(users: ["u1"], receipts: [])

    /// Thirty users whose receipts a run over everything verified.
    private func publishNight() async throws {
        try await fill(users: 30)
        let first = try await Pass(database, ScriptedApple { [.valid($0)] })
        try await first.finish()
        try await database.ledger.publish(first.run.id, at: first.run.asOf, under: nil)
    }

    @Test(
        "While Apple refuses everything nobody is accused", arguments: [21003, 21010],
        [Run.Scope.selected(users: ["u1"], receipts: []), .limited(users: 3)])
    func storm(status: Int, scope: Run.Scope) async throws {
        try await publishNight()
        let apple = try ScriptedApple { _ in [.status(status)] }
        let pass = try await Pass(database, apple, scope: scope, night: 2)
        try await pass.finish()
        let users = scope == user ? 1 : 3
        #expect(try await tally(of: pass.run.id) == [.unverified(.refusalUnconfirmed): users])
        #expect(try await findings() == [])
        #expect(!pass.events.refusedControls.isEmpty)
    }

    @Test("A refusal is confirmed by controls of the last published run")
    func confirmed() async throws {
        try await publishNight()
        let apple = try ScriptedApple(refusing: .receipts([1]))
        let pass = try await Pass(database, apple, scope: user, night: 2)
        try await pass.finish()
        #expect(try await tally(of: pass.run.id) == [.rejected(.notAuthentic): 1])
        let controls = apple.asksByReceipt.keys.count { !Set.receipts([1]).contains($0) }
        #expect(controls >= 10)
    }

    @Test("Before the first published run no refusal is believed")
    func nothingPublished() async throws {
        try await fill(users: 30)
        let apple = try ScriptedApple(refusing: .receipts([1]))
        try await Pass(database, apple, scope: user, night: 2).finish()
        #expect(try await tally() == [.unverified(.refusalUnconfirmed): 1])
    }
}

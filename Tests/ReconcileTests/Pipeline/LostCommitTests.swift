import Testing

@testable import Reconcile
@testable import TestSupport

/// When a run loses the commits of its last moments, as by an asynchronous failover.
private struct Loss: Sendable, CustomTestStringConvertible {
    var label: String
    var workers = 1
    /// Refused receipts are put off to the second look.
    var refused: Set<Int> = []
    /// What is committed after so many requests is lost, …
    var rememberedAfter: Int
    /// … once so many users are recorded, or this many requests were sent.
    var lostAfter: Int
    var users = 400

    var testDescription: String { label }
}

/// To add a case, copy a row of `losses`.
@Suite("A run whose database loses commits", .database, .hangLimit)
struct LostCommitTests: DatabaseSuite {
    private static let losses = [
        Loss(label: "in the first pass", rememberedAfter: 60, lostAfter: 300),
        Loss(label: "of three workers", workers: 3, rememberedAfter: 60, lostAfter: 300),
        Loss(
            label: "in the second look", refused: Set(1...120), rememberedAfter: 401,
            lostAfter: 640),
        Loss(
            label: "since the first pass", refused: Set(1...120), rememberedAfter: 300,
            lostAfter: 530),
    ]

    @Test("A failover that loses commits loses no user and judges none twice", arguments: losses)
    fileprivate func failover(loss: Loss) async throws {
        try await fill(users: loss.users)
        let refused = Set.receipts(loss.refused)
        let asked = Shared(0)
        let remembering = Gate()
        let losing = Gate()
        let isDisturbed = Shared(false)
        let apple = try ScriptedApple { ask in
            if isDisturbed.current {
                let number = asked.update { $0 += 1 }
                if number > loss.rememberedAfter { remembering.wait() }
                if number > loss.lostAfter { losing.wait() }
            }
            return [refused.contains(ask.receipt) ? .status(21003) : .valid(ask)]
        }
        let calm = try await Pass(database, apple, usersPerBatch: 50, night: 1)
        try await calm.finish()
        let expected = try await report(of: calm)
        #expect(expected.outcomes.count == loss.users)

        let pass = try await Pass(database, apple, usersPerBatch: 50, night: 2)
        isDisturbed.update { $0 = true }
        let work = (0..<loss.workers).map { _ in
            Task {
                let retry = DatabaseRetry(giveUpAfter: .seconds(240)) { _ in }
                try await pass.reconcile(over: connect(connections: 3).with(retry: retry))
            }
        }
        let before = apple.asks.count
        await apple.production.arrival(of: before + loss.rememberedAfter + 1)
        let commits = try await LostCommits.after(test)
        remembering.open()
        await apple.production.arrival(of: before + loss.lostAfter + 1)
        try await untilMoreIsRecorded()
        try await commits.lose()
        losing.open()
        for work in work { try await work.value }
        #expect(try await report(of: pass) == expected)
        #expect(pass.events.warnings.contains { $0.contains("lost the last commits") })
    }

    /// Waits until the run has committed what is lost afterwards.
    private func untilMoreIsRecorded() async throws {
        let more = """
            select (select count(*) from reconcile.user_result)
                > (select count(*) from earlier.user_result)
                or (select count(*) from reconcile.second_look)
                > (select count(*) from earlier.second_look)
            """
        while try await texts(more) != ["t"] { try Task.checkCancellation() }
    }
}

import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A killed run with refused receipts", .serialized, .timeLimit(.minutes(10)))
struct KillTests {
    private static let users = 60
    private static let forged = SecondLookScene.receipts([6, 16, 26, 36, 46])
    private static let gone = SecondLookScene.receipts([9, 39])
    /// The first look has `users` requests; the second the refused receipts, ten controls and a
    /// quarter more.
    private static let requests = users + 7 + 12

    /// The usual answers, but a request whose number is among `stops` is never answered.
    private static func apple(stoppingAt stops: Set<Int> = []) throws -> ScriptedApple {
        let answered = Shared(0)
        return try ScriptedApple { ask in
            if stops.contains(answered.update { $0 += 1 }) { return [.stall] }
            if forged.contains(ask.receipt) { return [.reply(AppleAnswer.status(21003))] }
            if gone.contains(ask.receipt) { return [.reply(AppleAnswer.status(21010))] }
            return [OutageScene.valid(ask)]
        }
    }

    private static let uninterrupted = Task {
        let reports = Shared<[String]>([])
        try await SecondLookScene.with(users: users) { scene in
            let apple = try apple()
            let pass = try await Pass(scene.database, apple, usersPerBatch: 20)
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(apple.asks.count == requests && summary.requests.sent == requests)
            let rows = try await pass.reportRows(scene.test)
            reports.update { $0 = rows + ["\(summary.receipts)", "\(summary.entitlements)"] }
        }
        return reports.current
    }

    @Test(
        "A kill before, during or after the second look changes no byte of the report rows",
        arguments: [
            [1], [20, 21, 22], [45], [60], [61], [62], [66], [70], [75], [79], [80],
            [30, 50, 65, 85], [61, 65, 69, 73, 77, 81, 85],
        ])
    func killed(stops: [Int]) async throws {
        let expected = try await Self.uninterrupted.value
        // The two receipts of deleted accounts accuse no user.
        #expect(expected.count == Self.users + 2 + 7 + 5)
        try await SecondLookScene.with(users: Self.users) { scene in
            let apple = try Self.apple(stoppingAt: Set(stops))
            let pass = try await Pass(scene.database, apple, usersPerBatch: 20)
            for stop in stops {
                let victim = try await Victim(of: pass, in: scene.test, apple, inFlight: 4)
                await victim.work(untilArrivalOf: stop, at: apple)
                await victim.kill()
            }
            try await pass.reconcile()
            let summary = try await pass.summary()
            let rows = try await pass.reportRows(scene.test)
            #expect(rows + ["\(summary.receipts)", "\(summary.entitlements)"] == expected)
        }
    }

    @Test("A group whose lease expired in the second look is taken over by another worker")
    func takenOver() async throws {
        let expected = try await Self.uninterrupted.value
        try await SecondLookScene.with(users: Self.users) { scene in
            // The first request of the second look is not answered until the run is over.
            let apple = try Self.apple(stoppingAt: [Self.users + 1])
            let pass = try await Pass(scene.database, apple, usersPerBatch: 20)
            let slow = Task { try await pass.reconcile() }
            await apple.production.arrival(of: Self.users + 1)
            let other = try await Database.connect(scene.test.url, connections: 3)
            // A group has no lease until it is leased, and a new one when another worker takes it
            // over.
            try await scene.test.execute(
                "update reconcile.batch set leased_until = now() - interval '1 s' where look = 2")
            _ = try await pass.worker(over: other, apple).drain(pass.plan)
            let summary = try await pass.summary()
            let rows = try await pass.reportRows(scene.test)
            #expect(rows + ["\(summary.receipts)", "\(summary.entitlements)"] == expected)
            slow.cancel()
            _ = await slow.result
            #expect(try await pass.reportRows(scene.test) == rows)
            await other.close()
        }
    }

    @Test("Several workers share the first and the second look")
    func shared() async throws {
        try await SecondLookScene.with(users: 300) { scene in
            let refused = SecondLookScene.receipts((1...150).map { $0 * 2 })
            let gate = Gate()
            let apple = try ScriptedApple { ask in
                // The second look waits until both workers have a group of it.
                if ask.attempt > 1 { gate.wait() }
                return refused.contains(ask.receipt)
                    ? [.reply(AppleAnswer.status(21003))] : [OutageScene.valid(ask)]
            }
            let pass = try await Pass(scene.database, apple, usersPerBatch: 50)
            let work = Task { try await pass.reconcile(besides: 1, of: scene.test, apple) }
            let workers = """
                select count(distinct worker_no) from reconcile.batch
                where look = 2 and leased_until is not null
                """
            while try await scene.test.texts(workers) != ["2"] { try Task.checkCancellation() }
            gate.open()
            try await work.value
            let summary = try await pass.summary()
            #expect(
                try await scene.outcomes() == ["verified": 150, "rejected not_authentic": 150])
            #expect(refused.allSatisfy { apple.asksByReceipt[$0] == 2 })
            #expect(pass.secondLooks == [[150, 2]])
            #expect(summary.requests.sent == apple.asks.count)
        }
    }
}

import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The shared token bucket in PostgreSQL", .timeLimit(.minutes(10)))
struct RateTests {
    /// When the tokens that were taken fall due, by the server's clock.
    private static func dueTimes(
        of taken: TakenTokens, count: Int, lead: Duration = .zero
    ) -> [Duration] {
        (0..<count).map { taken.takenAt + lead + taken.firstDue + taken.apart * $0 }
    }

    /// A bucket whose next token is due in `seconds`: far enough ahead not to fall due on a slow
    /// machine.
    private func bucket(
        rate: Double, burst: Int = 1, dueInSeconds seconds: Double,
        _ body: (Database) async throws -> Void
    ) async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            try await database.rates.set(rate, burst: burst, for: .production)
            try await test.execute(
                """
                update reconcile.rate_bucket
                set next_at = clock_timestamp() + make_interval(secs => \(seconds));
                """)
            try await body(database)
        }
    }

    @Test("A partial run does not change the rate of a nightly run in progress")
    func partial() async throws {
        try await TestDatabase.connected { test, database in
            let rates = "select rate from reconcile.rate_bucket where environment = 'Production'"
            let night = Run.test()
            _ = try await database.runs.open(night, codeVersion: "1", settings: "{}")
            let worker = try await Database.connect(test.url, connections: 1)
            _ = try await worker.workers.register(in: night.id, as: "night")
            try await database.rates.set(3, burst: 1, for: .production)
            try await database.rates.set(50, burst: 9, for: .production, isPartial: true)
            #expect(try await test.texts(rates) == ["3"])
            try await database.rates.set(4, burst: 1, for: .production)
            #expect(try await test.texts(rates) == ["4"])
            await worker.close()
            while try await test.texts("select worker_no from reconcile.live_worker") != [] {}
            try await database.rates.set(50, burst: 9, for: .production, isPartial: true)
            #expect(try await test.texts(rates) == ["50"])
        }
    }

    @Test("After a rest the burst is available at once, then one token an interval")
    func burst() async throws {
        try await bucket(rate: 10, burst: 3, dueInSeconds: -86_400) { database in
            let first = try await database.rates.take(4, for: .production)
            #expect(isNear(first.firstDue, .milliseconds(-200)))
            #expect(isNear(first.apart, .milliseconds(100)))
            let second = try await database.rates.take(1, for: .production)
            let dues = Self.dueTimes(of: first, count: 1) + Self.dueTimes(of: second, count: 1)
            // Later, if the machine took longer than that.
            #expect(dues[1] - dues[0] > .milliseconds(399.99))
        }
    }

    @Test("Other tokens are due only after those of the receipt validation service")
    func serviceFirst() async throws {
        // No token falls due while the test runs.
        try await bucket(rate: 0.01, dueInSeconds: 50_000) { database in
            let service = try await database.rates.take(5, for: .production, isFirst: true)
            #expect(service.count == 5)
            var counts: [Int] = []
            for _ in 0..<60 {
                let others = try await database.rates.take(2, for: .production)
                counts.append(others.count)
                // After others got their tokens, the service has no token at the end any more.
                if others.count > 0 {
                    _ = try await database.rates.take(1, for: .production, isFirst: true)
                } else {
                    #expect(others.firstDue > .seconds(40_000))
                }
            }
            #expect(counts.filter { $0 == 0 }.count > 30)
            #expect(counts.allSatisfy { $0 == 0 || $0 == 2 })
        }
    }

    @Test("The tokens of the two servers are separate")
    func servers() async throws {
        try await bucket(rate: 10, dueInSeconds: 100) { database in
            let production = try await database.rates.take(1, for: .production)
            _ = try await database.rates.take(50, for: .sandbox)
            let next = try await database.rates.take(1, for: .production)
            let dues =
                Self.dueTimes(of: production, count: 1) + Self.dueTimes(of: next, count: 1)
            #expect(isNear(dues[1] - dues[0], .milliseconds(100)))
        }
    }

    @Test("Tokens are counted from the requested lead, and the returned time is without it")
    func lead() async throws {
        try await bucket(rate: 10, dueInSeconds: 100) { database in
            let plain = try await database.rates.take(1, for: .production)
            let lead = Duration.seconds(40)
            let ahead = try await database.rates.take(1, for: .production, lead: lead)
            let due = Self.dueTimes(of: plain, count: 1)[0]
            #expect(isNear(Self.dueTimes(of: ahead, count: 1, lead: lead)[0] - due, .tenth))
            #expect(ahead.takenAt - plain.takenAt < lead)
        }
    }

    @Test("A token is never reserved in less than an interval, however many calls there are")
    func rounding() async throws {
        // 3⅓ s is no whole number of microseconds. The bucket is far enough ahead that no stall of
        // this machine reaches it.
        try await bucket(rate: 0.3, dueInSeconds: 3_000) { database in
            var dues: [Duration] = []
            for _ in 0..<10 {
                let taken = try await database.rates.take(1, for: .production)
                dues += Self.dueTimes(of: taken, count: 1)
            }
            let span = dues[9] - dues[0]
            #expect(span >= .seconds(30))
            #expect(span <= .seconds(30) + .microseconds(10))
        }
    }

    @Test("One worker that takes tokens at a reduced rate slows all workers down")
    func share() async throws {
        try await bucket(rate: 10, dueInSeconds: 100) { database in
            let reduced = try await database.rates.take(2, for: .production, share: 0.5)
            #expect(isNear(reduced.apart, .milliseconds(200)))
            let whole = try await database.rates.take(1, for: .production)
            #expect(isNear(whole.apart, .milliseconds(100)))
            let last = try await database.rates.take(1, for: .production, share: 0.3)
            let dues = [reduced, whole, last].map { Self.dueTimes(of: $0, count: 1)[0] }
            #expect(isNear(dues[1] - dues[0], .milliseconds(400)))
            #expect(isNear(dues[2] - dues[1], .milliseconds(100)))
        }
    }

    @Test(
        "The rate is never above the full rate nor below a tenth, for any share",
        arguments: [(7, 100), (1, 100), (0.1, 1_000), (0, 1_000), (-1, 1_000)]
            as [(Double, Int)])
    func shareBounds(share: Double, apartInMilliseconds: Int) async throws {
        try await bucket(rate: 10, dueInSeconds: 100) { database in
            let first = try await database.rates.take(1, for: .production, share: share)
            #expect(isNear(first.apart, .milliseconds(apartInMilliseconds)))
            let second = try await database.rates.take(1, for: .production)
            let dues = [first, second].map { Self.dueTimes(of: $0, count: 1)[0] }
            #expect(isNear(dues[1] - dues[0], .milliseconds(apartInMilliseconds)))
        }
    }

    @Test("The burst lasts the same time at any share, and so has a share of the tokens")
    func burstOfShare() async throws {
        try await bucket(rate: 10, burst: 5, dueInSeconds: -3_600) { database in
            let taken = try await database.rates.take(4, for: .production, share: 0.5)
            let dues = Self.dueTimes(of: taken, count: 4)
            #expect(dues.count { $0 <= taken.takenAt + .microseconds(1) } == 3)
        }
    }

    @Test("At a rate of one in 100 s each token is given once, although it is due minutes later")
    func lowRate() async throws {
        try await bucket(rate: 0.01, dueInSeconds: 0) { database in
            var dues: [Duration] = []
            for _ in 0..<5 {
                let taken = try await database.rates.take(1, for: .production)
                dues += Self.dueTimes(of: taken, count: 1)
            }
            for (earlier, later) in zip(dues, dues.dropFirst()) {
                #expect(isNear(later - earlier, .seconds(100)))
            }
        }
    }

    @Test("The bucket starts again empty after a clock that was ahead is set back")
    func clockSetBack() async throws {
        try await bucket(rate: 10, burst: 5, dueInSeconds: 3_600) { database in
            let taken = try await database.rates.take(1, for: .production)
            #expect(isNear(taken.firstDue, .milliseconds(100)))
        }
    }

    private func isNear(_ left: Duration, _ right: Duration) -> Bool {
        left - right < .microseconds(3) && right - left < .microseconds(3)
    }
}

extension Duration {
    fileprivate static var tenth: Duration { .milliseconds(100) }
}

internal import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with the rate, the seconds until the first token, the number of calls, and
/// the time from the first token to the last; or a share of the rate.
@Suite("The rate limit in PostgreSQL", .database, .hangLimit)
struct RateTests: DatabaseSuite {
    @Test("A partial run does not change the rate of a nightly run in progress")
    func partial() async throws {
        try await open()
        let worker = try await worker()
        for (rate, isPartial, kept) in [
            (3.0, false, "3"), (50, true, "3"), (4, false, "4"), (50, true, "50"),
        ] {
            if kept == "50" { try await end(worker) }
            try await database.rates.set(rate, burst: 1, for: .production, isPartial: isPartial)
            let bucket = "select rate from reconcile.rate_bucket where server = 'production'"
            #expect(try await texts(bucket) == [kept])
        }
    }

    @Test("After a rest the burst is available at once, at any share, then one token an interval")
    func burst() async throws {
        try await fill(rate: 10, burst: 3, dueInSeconds: -86_400)
        let first = try await take(4)
        #expect(about(.milliseconds(-200)).contains(first.firstDue))
        #expect(about(.milliseconds(100)).contains(first.apart))
        // Later, if the machine took longer than that.
        #expect(dues(of: try await take())[0] - dues(of: first)[0] > .milliseconds(399.99))
        try await fill(rate: 10, burst: 5, dueInSeconds: -3_600)
        let half = try await take(4, share: 0.5)
        #expect(dues(of: half).count { $0 <= half.takenAt + .microseconds(1) } == 3)
        // A bucket starts again empty after a clock that was ahead is set back.
        try await fill(rate: 10, burst: 5, dueInSeconds: 3_600)
        #expect(about(.milliseconds(100)).contains(try await take().firstDue))
    }

    @Test("A server that may not know the last tokens gives none for a second, and no burst")
    func promoted() async throws {
        try await fill(rate: 10, burst: 5, dueInSeconds: -3_600)
        _ = try await take()
        try await fill(rate: 10, burst: 5, dueInSeconds: -3_600)
        let before = "server_started_at - interval '1 hour'"
        try await execute("update reconcile.rate_bucket set server_started_at = \(before)")
        let first = try await take(3)
        #expect(about(.milliseconds(1_100)).contains(first.firstDue))
        // From then on as ever, without another wait.
        let next = try await take()
        #expect(dues(of: next)[0] - dues(of: first)[0] > .milliseconds(299.99))
        #expect(next.firstDue < .milliseconds(1_410))
    }

    @Test("Other tokens are due only after those of the receipt validation service")
    func serviceFirst() async throws {
        // No token falls due while the test runs.
        try await fill(rate: 0.01, dueInSeconds: 50_000)
        #expect(try await database.rates.take(5, for: .production, isFirst: true).count == 5)
        var refusals = 0
        for _ in 0..<60 {
            let others = try await take(2)
            guard others.count > 0 else {
                #expect(others.firstDue > .seconds(40_000))
                refusals += 1
                continue
            }
            #expect(others.count == 2)
            // After others got their tokens, the service has no token at the end any more.
            _ = try await database.rates.take(1, for: .production, isFirst: true)
        }
        #expect(refusals > 30)
    }

    @Test(
        "Tokens are an interval apart and never less, however low the rate is and many the calls",
        arguments: [
            // 3⅓ s is no whole number of microseconds. No stall reaches a bucket so far ahead.
            (rate: 0.3, ahead: 3_000.0, calls: 10, span: Duration.seconds(30)),
            // A token is given once, although it is due minutes later.
            (0.01, 0, 5, .seconds(400)),
        ])
    func intervals(rate: Double, ahead: Double, calls: Int, span: Duration) async throws {
        try await fill(rate: rate, dueInSeconds: ahead)
        var dues: [Duration] = []
        for _ in 0..<calls { dues += self.dues(of: try await take()) }
        let range = span - .microseconds(1)...span + .microseconds(10)
        #expect(range.contains(dues[calls - 1] - dues[0]))
        let apart = zip(dues, dues.dropFirst()).map { $1 - $0 }
        #expect(apart.allSatisfy(about(span / (calls - 1)).contains), "\(apart)")
    }

    @Test("A reduced share slows all workers, up to tenfold", arguments: [7, 1, 0.5, 0.1, 0, -1])
    func share(share: Double) async throws {
        let interval = Duration.milliseconds([7: 100, 1: 100, 0.5: 200][share] ?? 1_000)
        try await fill(rate: 10, dueInSeconds: 100)
        var taken = [try await take(2, share: share), try await take()]
        _ = try await database.rates.take(50, for: .sandbox)
        taken.append(try await take(share: 0.3))
        #expect(about(interval).contains(taken[0].apart))
        #expect(about(.milliseconds(100)).contains(taken[1].apart))
        let dues = taken.map { self.dues(of: $0)[0] }
        #expect(about(interval * 2).contains(dues[1] - dues[0]))
        #expect(about(.milliseconds(100)).contains(dues[2] - dues[1]))
        // Counted from the lead; the returned time is without it.
        let lead = Duration.seconds(40)
        let ahead = try await database.rates.take(1, for: .production, lead: lead)
        #expect(about(.milliseconds(100 / 0.3)).contains(self.dues(of: ahead)[0] + lead - dues[2]))
        #expect(ahead.takenAt - taken[2].takenAt < lead)
    }

    private func take(_ count: Int = 1, share: Double = 1) async throws -> TakenTokens {
        try await database.rates.take(count, for: .production, share: share)
    }

    /// The next token is due in `seconds`: far enough ahead not to fall due on a slow machine.
    private func fill(rate: Double, burst: Int = 1, dueInSeconds seconds: Double) async throws {
        try await database.rates.set(rate, burst: burst, for: .production)
        let due = "clock_timestamp() + make_interval(secs => \(seconds))"
        try await execute("update reconcile.rate_bucket set next_at = \(due)")
    }

    private func dues(of taken: TakenTokens) -> [Duration] {
        (0..<taken.count).map { taken.takenAt + taken.firstDue + taken.apart * $0 }
    }

    private func about(_ time: Duration) -> ClosedRange<Duration> {
        time - .microseconds(3)...time + .microseconds(3)
    }
}

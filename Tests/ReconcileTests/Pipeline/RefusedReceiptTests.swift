import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test that fills the database, has `ScriptedApple(refusing:)` refuse some
/// receipts, and compares `tally()` and `findings()`; or a row with users and the status that
/// refuses.
@Suite("A refused receipt in the second look", .database, .hangLimit)
struct RefusedReceiptTests: DatabaseSuite {
    private static let forged = Set.receipts([6, 16, 26, 36, 46])

    @Test(
        "Every refused receipt is found, with two refusals each and at least ten controls",
        arguments: [
            (users: 300, distance: 10, status: 21003), (60, 10, 21003), (30, 10, 21003),
            (320, 40, 21010),
        ])
    func attack(users: Int, distance: Int, status: Int) async throws {
        try await fill(users: users)
        let numbers = Array(stride(from: distance, through: users, by: distance))
        let refused = numbers.count
        let receipts = Set.receipts(numbers)
        let apple = try ScriptedApple(refusing: receipts, with: status)
        let pass = try await Pass(database, apple, usersPerBatch: 50)
        try await pass.finish()
        let why: Rejection = status == 21003 ? .notAuthentic : .accountGone
        #expect(try await tally() == [.verified: users - refused, .rejected(why): refused])
        let kind: FindingKind = status == 21003 ? .receiptNotAuthentic : .receiptAccountGone
        let accused = numbers.map { "u\($0)" }.sorted().map { StoredFinding(kind, of: $0) }
        #expect(try await findings(among: .ofReceipts) == accused)
        let asks = apple.asksByReceipt
        #expect(receipts.allSatisfy { asks[$0] == 2 })
        #expect(asks.values.max() == 2)
        let controls = asks.count { $0.value == 2 } - refused
        #expect((max(10, refused)...2 * max(10, refused)).contains(controls))
        #expect(pass.events.secondLooks == [SecondLook(users: refused, groups: 1)])
        #expect(pass.events.refusedControls == [])
    }

    @Test(
        "Without a control no refusal is believed, however few there are", arguments: [1, 9, 10],
        [21003, 21010])
    func nothingVerified(users: Int, status: Int) async throws {
        try await fill(users: users)
        let apple = try ScriptedApple { _ in [.status(status)] }
        try await Pass(database, apple, patience: .seconds(600)).finish()
        #expect(try await tally() == [.unverified(.refusalUnconfirmed): users])
        #expect(try await findings() == [])
        // Nothing is waited for: there will be no control later either.
        #expect(apple.asks.count == 2 * users)
    }

    @Test("A refused receipt that was changed after it was signed is rejected without a control")
    func altered() async throws {
        try await fill(users: 1)
        let stranger = ReceiptAuthority(name: "Stranger")
        let bytes = stranger.receipt(PayloadForge().encoded).altering("acme")
        try await test.store(receipt: "altered", of: "u1", data: .text(base64(bytes)))
        let apple = try ScriptedApple { _ in [.status(21003)] }
        try await Pass(database, apple).finish()
        #expect(
            try await tally() == [.rejected(.signature): 1, .unverified(.refusalUnconfirmed): 1])
        let accused = try await findings(among: .ofReceipts)
        #expect(accused == [.init(.receiptNotAuthentic, of: "u1")])
    }

    @Test("A receipt that Apple signed is never rejected by 21003")
    func signed() async throws {
        try await fill(users: 30)
        let authority = ReceiptAuthority.shared
        let receipts = [UInt8](1...2).map { serial in
            var payload = PayloadForge()
            payload.opaque = [serial]
            return base64(authority.receipt(payload.encoded))
        }
        try await test.store(receipt: "authentic", of: "u1", data: .text(receipts[0]))
        try await test.store(receipt: "gone", of: "u2", data: .text(receipts[1]))
        try await test.store(receipt: "fake", of: "u3")
        let apple = try ScriptedApple { ask in
            if ask.receipt == receipts[1] { return [.status(21010)] }
            return [ask.receipt == receipts[0] || ask.shows("fake") ? .status(21003) : .valid(ask)]
        }
        try await Pass(database, apple, roots: TrustedRoots([authority.root.der])).finish()
        #expect(
            try await tally() == [
                .verified: 30, .rejected(.notAuthentic): 1, .rejected(.accountGone): 1,
                .unverified(.refusalContradictsSignature): 1,
            ])
        let accused = try await findings(among: .ofReceipts)
        #expect(
            accused == [
                .init(.receiptAccountGone, of: "u2"), .init(.receiptNotAuthentic, of: "u3"),
            ])
        #expect(apple.asksByReceipt[receipts[0]] == 2)
    }

    @Test("Identical receipts are sent once per look for each user who has them")
    func identical() async throws {
        try await fill(users: 20)
        let forged = TestDatabase.receipt("forged")
        let same = TestDatabase.receipt("same")
        for (id, user, text) in [
            ("f1", "u1", forged), ("f2", "u1", forged), ("f3", "u1", forged), ("g1", "u2", forged),
            ("s1", "u1", same), ("s2", "u1", same + "\n"), ("s3", "u2", same),
        ] { try await test.store(receipt: id, of: user, data: .text(text)) }
        let apple = try ScriptedApple(refusing: [forged])
        try await Pass(database, apple).finish()
        #expect(try await tally() == [.verified: 23, .rejected(.notAuthentic): 4])
        #expect(apple.asksByReceipt[forged] == 4)
        #expect(apple.asksByReceipt[same] == 4)
    }

    @Test("A group that is too large to read at once has controls with each portion")
    func portions() async throws {
        try await fill(users: 60)
        let forged = Set.receipts([6, 16, 26])
        let large = "'large-' || n, 'u' || n, 'acme', repeat('A', 8 << 20), now()"
        let users = "unnest(array[6, 16, 26]) as n"
        try await execute(
            "insert into team.receipts (id, who, bundle, data, at) select \(large) from \(users)")
        let apple = try ScriptedApple(refusing: forged)
        try await Pass(database, apple, inFlight: 1).finish()
        let secondLook = apple.asks.filter { $0.attempt > 1 }.map { forged.contains($0.receipt) }
        // Ten controls and a quarter more: four with each portion, which has one user.
        let controls = secondLook.split(separator: true, omittingEmptySubsequences: false)
        #expect(controls.count == 4)
        #expect(controls.dropFirst().dropLast().allSatisfy { $0.count >= 3 })
    }

    /// Sixty users, five of them with a forged receipt. `act` decides about repeated requests.
    private func pass(
        patience: Duration = .milliseconds(200),
        _ act: @escaping @Sendable (ScriptedApple.Ask, _ isForged: Bool) -> LoopbackServer.Act?
    ) async throws -> Pass {
        try await fill(users: 60)
        let apple = try ScriptedApple { ask in
            let isForged = Self.forged.contains(ask.receipt)
            if ask.attempt > 1, let act = act(ask, isForged) { return [act] }
            return [isForged ? .status(21003) : .valid(ask)]
        }
        let pass = try await Pass(database, apple, patience: patience)
        try await pass.finish()
        return pass
    }

    @Test("Silence or the other server confirms no refusal, and the other users are decided")
    func notRepeated() async throws {
        let pass = try await pass { ask, _ in
            if ask.shows("r6") { return .reset }
            return ask.shows("r16") && ask.environment == .production ? .status(21007) : nil
        }
        let requests = try await pass.summary().requests
        #expect(
            try await tally() == [
                .verified: 55, .rejected(.notAuthentic): 3, .unverified(.connectionFailed): 1,
                .unverified(.refusalUnconfirmed): 1,
            ])
        #expect(pass.apple.sandbox.requests.count == 2)
        #expect(requests.sent == pass.apple.asks.count)
        #expect(requests.byServer[.sandbox] == 2)
        // Two requests for r6 have no answer.
        #expect(requests.byHTTPStatus == [200: requests.sent - 2])
        #expect(requests.retries == 1)
        let silent = try await outcomes().first { $0.receiptID == "r6" }
        #expect(silent?.attempts == 2)
    }

    @Test("If a control is refused, the group is postponed and requested again with other controls")
    func refusedOnce() async throws {
        let times = Shared<[ContinuousClock.Instant]>([])
        let patience = Duration.milliseconds(700)
        let controls = Shared(0)
        let pass = try await pass(patience: patience) { ask, isForged in
            if isForged ? ask.attempt < 3 : controls.update({ $0 += 1 }) > 1 { return nil }
            times.update { $0.append(.now) }
            return isForged ? nil : .status(21003)
        }
        #expect(try await tally() == [.verified: 55, .rejected(.notAuthentic): 5])
        #expect(pass.events.refusedControls.count == 1)
        try #require(times.current.count > 1)
        #expect(times.current[0].duration(to: times.current[1]) >= patience)
        let asks = pass.apple.asksByReceipt
        #expect(Self.forged.allSatisfy { asks[$0] == 3 })
        // Five forged receipts three times; all others once; twelve controls (ten and a quarter
        // more); then all 55, since a third look wants more controls than exist.
        #expect(asks.count == 60)
        #expect(asks.values.allSatisfy { $0 > 1 })
        #expect(pass.apple.asks.count >= 15 + 55 + 12 + 55)
    }

    @Test("If a control is refused again, the refusals of its group are not believed")
    func refusedTwice() async throws {
        let pass = try await pass { _, _ in .status(21003) }
        #expect(try await tally() == [.verified: 55, .unverified(.refusalUnconfirmed): 5])
        #expect(try await findings() == [])
        #expect(!pass.events.refusedControls.isEmpty)
        #expect(Self.forged.allSatisfy { pass.apple.asksByReceipt[$0] == 3 })
        let details = "select distinct detail from reconcile.outcome where cause <> ''"
        #expect(try await texts(details) == ["status 21003 (production, attempt 1)"])
    }

    @Test(
        "Controls without an answer are replaced, and confirm nothing",
        arguments: [
            (most: 8, outcome: ReceiptOutcome.rejected(.notAuthentic)),
            (55, .unverified(.refusalUnconfirmed)),
        ])
    func silentControls(most: Int, outcome: ReceiptOutcome) async throws {
        let silent = Shared<Set<String>>([])
        _ = try await pass { ask, isForged in
            if isForged { return nil }
            let receipts = silent.update { if $0.count < most { $0.insert(ask.receipt) } }
            // Neither verified nor refused, and no sign of an outage.
            let answer = #"{"status":21199,"is_retryable":false}"#
            return receipts.contains(ask.receipt) ? .reply(answer) : nil
        }
        #expect(try await tally() == [.verified: 55, outcome: 5])
    }

    @Test(
        "A server's many refusals are checked by receipts that it verified, else accuse no user",
        arguments: [(3, AppleServer.sandbox), (30, .sandbox), (30, .production)],
        [21003, 21010])
    func oneServer(setting: (refused: Int, by: AppleServer), status: Int) async throws {
        try await fill(users: 60)
        let first = setting.by == .sandbox ? 1 : 31
        let refused = Set.receipts(first..<first + setting.refused)
        let moved = Set.receipts(1...30)
        let apple = try ScriptedApple { ask in
            if ask.environment == setting.by.environment, refused.contains(ask.receipt) {
                return [.status(status)]
            }
            let isMoved = ask.environment == .production && moved.contains(ask.receipt)
            return [isMoved ? .status(21007) : .valid(ask)]
        }
        try await Pass(database, apple).finish()
        let rejection: Rejection = status == 21003 ? .notAuthentic : .accountGone
        let outcome: ReceiptOutcome =
            setting.refused == 3 ? .rejected(rejection) : .unverified(.refusalUnconfirmed)
        #expect(try await tally() == [.verified: 60 - setting.refused, outcome: setting.refused])
        let again = apple.sandbox.requests.filter { $0.attempt == 2 }
        let controls = again.count { !refused.contains($0.receipt) }
        #expect(setting.refused > 3 || controls >= 10)
    }

    @Test("The requests of both looks and all controls are counted by their answers")
    func requests() async throws {
        try await fill(users: 80)
        let forged = Set.receipts([10, 20, 30])
        let answered = Shared<[Int: Int]>([:])
        let controls = Shared(0)
        let apple = try ScriptedApple { ask in
            var status = forged.contains(ask.receipt) ? 21003 : 0
            if ask.lot % 4 == 0, ask.environment == .production { status = 21007 }
            if status == 0, ask.lot % 11 == 0, ask.attempt == 1 { status = 21005 }
            // One control is refused.
            if status == 0, ask.attempt > 2, controls.update({ $0 += 1 }) == 1 { status = 21010 }
            answered.update { [status] in $0[status, default: 0] += 1 }
            return [status == 0 ? .valid(ask) : .status(status)]
        }
        let summary = try await Pass(database, apple).finish()
        let requests = summary.requests
        #expect(requests.byStatus == answered.current)
        #expect(requests.byHTTPStatus == [200: apple.asks.count])
        #expect(requests.retries == answered.current[21005])
        #expect(summary.oldestVerifiedAt == .asOf)
    }
}

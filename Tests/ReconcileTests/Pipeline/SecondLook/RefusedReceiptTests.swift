import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A refused receipt in the second look", .database, .timeLimit(.minutes(10)))
struct RefusedReceiptTests: DatabaseSuite {
    private static let forged = Set.receipts([6, 16, 26, 36, 46])

    @Test(
        "Every refused receipt is found, with two refusals each and at least ten controls",
        arguments: [(300, 10, 21003), (60, 10, 21003), (30, 10, 21003), (320, 40, 21010)])
    func attack(users: Int, distance: Int, status: Int) async throws {
        try await fill(users: users)
        let refused = users / distance
        let numbers = (1...refused).map { $0 * distance }
        let receipts = Set.receipts(numbers)
        let apple = try ScriptedApple.refusing(receipts, with: status)
        let pass = try await Pass(database, apple, usersPerBatch: 50)
        let summary = try await pass.finish()
        let (why, kind): (String, FindingKind) =
            status == 21003
            ? ("not_authentic", .receiptNotAuthentic) : ("account_gone", .receiptAccountGone)
        #expect(try await tally() == ["verified": users - refused, "rejected \(why)": refused])
        #expect(try await self.users(with: kind) == Set(numbers.map { "u\($0)" }))
        let asks = apple.asksByReceipt
        #expect(receipts.allSatisfy { asks[$0] == 2 })
        let controls = asks.filter { $0.value == 2 && !receipts.contains($0.key) }
        #expect((max(10, refused)...2 * max(10, refused)).contains(controls.count))
        #expect(asks.values.allSatisfy { $0 <= 2 })
        #expect(pass.told("secondLook") == ["secondLook(users: \(refused), groups: 1)"])
        #expect(pass.told("controlRefused") == [])
        #expect(summary.requests.sent == apple.asks.count)
    }

    @Test("A receipt that is refused twice is rejected though the run has no control")
    func alone() async throws {
        try await fill(users: 5)
        let apple = try ScriptedApple.refusing(.receipts([3]))
        try await Pass(database, apple, scope: .selected(users: ["u3"], receipts: [])).finish()
        #expect(try await tally() == ["rejected not_authentic": 1])
        #expect(try await users(with: .receiptNotAuthentic) == ["u3"])
        #expect(apple.asks.count == 2)
    }

    @Test(
        "Without a verified receipt the refusals of nine users are believed, and of ten are not",
        arguments: [(9, "rejected not_authentic"), (10, "unverified refusal_unconfirmed")])
    func nothingVerified(users: Int, outcome: String) async throws {
        try await fill(users: users)
        try await Pass(database, ScriptedApple(status: 21003)).finish()
        #expect(try await tally() == [outcome: users])
    }

    @Test("A receipt that Apple signed is never rejected by 21003")
    func signed() async throws {
        try await fill(users: 30)
        let authority = ReceiptAuthority.shared
        func store(signed id: String, of user: String, _ serial: UInt8) async throws -> String {
            var payload = PayloadForge()
            payload.opaque = [serial]
            let base64 = Base64.encode(authority.receipt(payload.encoded))
            let receipt = String(decoding: base64, as: UTF8.self)
            try await test.store(receipt: id, of: user, data: .text(receipt))
            return receipt
        }
        let authentic = try await store(signed: "authentic", of: "u1", 1)
        let gone = try await store(signed: "gone", of: "u2", 2)
        try await storeReceipts([(id: "forged", user: "u3")])
        let apple = try ScriptedApple { ask in
            switch ask.receipt {
            case authentic, TestDatabase.receipt("forged"): [.status(21003)]
            case gone: [.status(21010)]
            default: [.valid(ask)]
            }
        }
        try await Pass(database, apple, roots: TrustedRoots([authority.root.der])).finish()
        #expect(
            try await tally() == [
                "verified": 30, "rejected not_authentic": 1, "rejected account_gone": 1,
                "unverified refusal_contradicts_signature": 1,
            ])
        #expect(try await users(with: .receiptNotAuthentic) == ["u3"])
        #expect(apple.asksByReceipt[authentic] == 2)
    }

    @Test("Identical receipts of one user are sent once a look, those of two users twice")
    func identical() async throws {
        try await fill(users: 20)
        let forged = TestDatabase.receipt("forged")
        for (id, user) in [("f1", "u1"), ("f2", "u1"), ("f3", "u1"), ("g1", "u2")] {
            try await test.store(receipt: id, of: user, data: .text(forged))
        }
        let same = TestDatabase.receipt("same")
        for (id, user, text) in [("s1", "u1", same), ("s2", "u1", same + "\n"), ("s3", "u2", same)]
        {
            try await test.store(receipt: id, of: user, data: .text(text))
        }
        let apple = try ScriptedApple.refusing([forged])
        let summary = try await Pass(database, apple).finish()
        #expect(try await tally() == ["verified": 23, "rejected not_authentic": 4])
        #expect(apple.asksByReceipt[forged] == 4 && apple.asksByReceipt[same] == 4)
        #expect(summary.requests.sent == apple.asks.count)
    }

    @Test("A user without an answer in the second look is unverified, and the others are decided")
    func unanswered() async throws {
        try await fill(users: 40)
        let forged = Set.receipts([5, 15, 25])
        let apple = try ScriptedApple { ask in
            if ask.shows("r7") { return [ask.attempt > 1 ? .reset : .status(21003)] }
            return [forged.contains(ask.receipt) ? .status(21003) : .valid(ask)]
        }
        try await Pass(database, apple).finish()
        #expect(
            try await tally() == [
                "verified": 36, "rejected not_authentic": 3, "unverified connection_failed": 1,
            ])
    }

    @Test("If a control is refused, the group is put off and requested again with other controls")
    func refusedOnce() async throws {
        try await fill(users: 60)
        let times = Shared<[ContinuousClock.Instant]>([])
        let apple = try ScriptedApple { ask in
            if Self.forged.contains(ask.receipt) {
                if ask.attempt == 3 { times.update { $0.append(.now) } }
                return [.status(21003)]
            }
            guard ask.attempt > 1 else { return [.valid(ask)] }
            var isRefused = false
            times.update { times in
                isRefused = times.isEmpty
                if isRefused { times.append(.now) }
            }
            return [isRefused ? .status(21003) : .valid(ask)]
        }
        let patience = Duration.milliseconds(700)
        let pass = try await Pass(database, apple, patience: patience)
        let summary = try await pass.finish()
        #expect(try await tally() == ["verified": 55, "rejected not_authentic": 5])
        #expect(pass.told("controlRefused").count == 1)
        #expect(times.current[0].duration(to: times.current[1]) >= patience)
        // Ten controls, a quarter more and one for the refused one; then all that exist.
        let controls = apple.asksByReceipt.filter { receipt, asks in
            asks > 1 && !Self.forged.contains(receipt)
        }
        #expect(controls.count == 55)
        #expect(controls.values.reduce(0) { $0 + $1 - 1 } >= 55 + 12)
        #expect(Self.forged.allSatisfy { apple.asksByReceipt[$0] == 3 })
        #expect(summary.requests.sent == apple.asks.count)
    }

    @Test("A group that is too large to read at once has controls with each portion")
    func portions() async throws {
        try await fill(users: 60)
        let users = [6, 16, 26]
        for user in users {
            try await execute(
                """
                insert into team.receipts values
                ('large-\(user)', 'u\(user)', 'acme', repeat('A', 8 << 20), now())
                """)
        }
        let forged = Set.receipts(users)
        let apple = try ScriptedApple.refusing(forged)
        try await Pass(database, apple, inFlight: 1).reconcile()
        let secondLook = apple.asks.filter { $0.attempt > 1 }.map { ask in
            forged.contains(ask.receipt) ? "user" : "control"
        }
        // Ten controls and a quarter more, so at least four with each of three users.
        let runs = secondLook.split(separator: "user", omittingEmptySubsequences: false)
        #expect(runs.count == 4)
        #expect(runs.dropFirst().dropLast().allSatisfy { $0.count >= 3 })
    }

    @Test("If a control is refused again, the refusals of its group are not believed")
    func refusedTwice() async throws {
        try await fill(users: 60)
        let apple = try ScriptedApple { ask in
            let isRefused = ask.attempt > 1 || Self.forged.contains(ask.receipt)
            return [isRefused ? .status(21003) : .valid(ask)]
        }
        let pass = try await Pass(database, apple)
        let summary = try await pass.finish()
        #expect(try await tally() == ["verified": 55, "unverified refusal_unconfirmed": 5])
        #expect(try await findings() == "")
        #expect(!pass.told("controlRefused").isEmpty)
        #expect(Self.forged.allSatisfy { apple.asksByReceipt[$0] == 3 })
        #expect(summary.requests.sent == apple.asks.count)
        let details = "select distinct detail from reconcile.outcome where outcome = 'unverified'"
        #expect(try await list(details) == "status 21003 (production, attempt 1)")
    }

    @Test(
        "Controls without an answer are replaced, and confirm nothing",
        arguments: [(8, "rejected not_authentic"), (55, "unverified refusal_unconfirmed")])
    func unanswered(most: Int, outcome: String) async throws {
        try await fill(users: 60)
        let silent = Shared<Set<String>>([])
        let apple = try ScriptedApple { ask in
            if Self.forged.contains(ask.receipt) { return [.status(21003)] }
            guard ask.attempt > 1 else { return [.valid(ask)] }
            let isSilent = silent.update { receipts in
                if receipts.count < most { receipts.insert(ask.receipt) }
            }.contains(ask.receipt)
            // Neither verified nor refused, and no sign of an outage.
            return [isSilent ? .reply(#"{"status":21199,"is_retryable":false}"#) : .valid(ask)]
        }
        try await Pass(database, apple).finish()
        #expect(try await tally() == ["verified": 55, outcome: 5])
    }

    @Test("Receipts that the sandbox refuses have controls that the sandbox verified")
    func sandbox() async throws {
        try await fill(users: 60)
        let ofSandbox = Set.receipts(1...30)
        let refused = Set.receipts([6, 16, 26])
        let apple = try ScriptedApple { ask in
            if ask.environment == .sandbox, refused.contains(ask.receipt) {
                return [.status(21003)]
            }
            if ask.environment == .production, ofSandbox.contains(ask.receipt) {
                return [.status(21007)]
            }
            return [.reply(AppleAnswer.verified(environment: ask.environment))]
        }
        let summary = try await Pass(database, apple).finish()
        #expect(try await tally() == ["verified": 57, "rejected not_authentic": 3])
        let asks = Dictionary(apple.sandbox.requests.map { ($0.receipt, 1) }, uniquingKeysWith: +)
        #expect(asks.count { $0.value > 1 && !refused.contains($0.key) } >= 10)
        #expect(summary.requests.production == apple.production.requests.count)
        #expect(summary.requests.sandbox == apple.sandbox.requests.count)
    }

    @Test("A refusal by the other server does not confirm the first one")
    func otherServer() async throws {
        try await fill(users: 60)
        let apple = try ScriptedApple { ask in
            guard ask.shows("r9") else { return [.valid(ask)] }
            let isMoved = ask.environment == .production && ask.attempt > 1
            return [.status(isMoved ? 21007 : 21003)]
        }
        let summary = try await Pass(database, apple).finish()
        #expect(try await tally() == ["verified": 59, "unverified refusal_unconfirmed": 1])
        #expect(apple.sandbox.requests.count == 2)
        #expect(summary.requests.sent == apple.asks.count)
    }

    @Test("The counted requests are those that Apple received, of both looks and all controls")
    func requests() async throws {
        try await fill(users: 80)
        let forged = Set.receipts([10, 20, 30])
        let answered = Shared<[Int: Int]>([:])
        let isControlRefused = Shared(false)
        let apple = try ScriptedApple { ask in
            var status = forged.contains(ask.receipt) ? 21003 : 0
            if ask.lot % 4 == 0, ask.environment == .production { status = 21007 }
            if status == 0, ask.lot % 11 == 0, ask.attempt == 1 { status = 21005 }
            if status == 0, ask.attempt > 2 {
                isControlRefused.update { isRefused in
                    if !isRefused { status = 21010 }
                    isRefused = true
                }
            }
            let final = status
            answered.update { $0[final, default: 0] += 1 }
            guard status == 0 else { return [.status(status)] }
            return [.reply(AppleAnswer.verified(environment: ask.environment))]
        }
        let requests = try await Pass(database, apple).finish().requests
        #expect(requests.sent == apple.asks.count)
        #expect(requests.production == apple.production.requests.count)
        #expect(requests.sandbox == apple.sandbox.requests.count)
        #expect(requests.byStatus == answered.current)
        #expect(requests.byHTTPStatus == [200: apple.asks.count])
        #expect(requests.retries == answered.current[21005])
    }
}

import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The second look while Apple answers correctly", .timeLimit(.minutes(10)))
struct AttackTests {
    @Test(
        "Every forged receipt is found, with two refusals each and at least ten controls",
        arguments: [(users: 300, forged: 30), (users: 60, forged: 6), (users: 30, forged: 3)])
    func attack(users: Int, forged: Int) async throws {
        try await SecondLookScene.with(users: users) { scene in
            let numbers = (1...forged).map { $0 * 10 }
            let receipts = SecondLookScene.receipts(numbers)
            let apple = try SecondLookScene.apple(refusing: receipts)
            let pass = try await Pass(scene.database, apple, usersPerBatch: 50)
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(
                try await scene.outcomes()
                    == ["verified": users - forged, "rejected not_authentic": forged])
            #expect(
                try await scene.users(with: .receiptNotAuthentic) == Set(numbers.map { "u\($0)" }))
            let asks = apple.asksByReceipt
            #expect(receipts.allSatisfy { asks[$0] == 2 })
            let controls = asks.filter { $0.value == 2 && !receipts.contains($0.key) }
            #expect(controls.count >= max(10, forged))
            #expect(controls.count <= 2 * max(10, forged))
            #expect(asks.values.allSatisfy { $0 <= 2 })
            #expect(pass.secondLooks == [[forged, 1]] && pass.refusedControls.isEmpty)
            #expect(summary.requests.sent == apple.asks.count)
        }
    }

    @Test("Every deleted account is reported, one in forty")
    func accountsGone() async throws {
        try await SecondLookScene.with(users: 320) { scene in
            let numbers = (1...8).map { $0 * 40 }
            let apple = try SecondLookScene.apple(
                refusing: SecondLookScene.receipts(numbers), with: 21010)
            let pass = try await Pass(scene.database, apple)
            try await pass.reconcile()
            _ = try await pass.summary()
            #expect(
                try await scene.outcomes() == ["verified": 312, "rejected account_gone": 8])
            #expect(
                try await scene.users(with: .receiptAccountGone) == Set(numbers.map { "u\($0)" }))
        }
    }

    @Test("A receipt that is refused twice is rejected though the run has no control")
    func alone() async throws {
        try await SecondLookScene.with(users: 5) { scene in
            let apple = try SecondLookScene.apple(refusing: SecondLookScene.receipts([3]))
            let pass = try await Pass(
                scene.database, apple, scope: .selected(users: ["u3"], receipts: []))
            try await pass.reconcile()
            _ = try await pass.summary()
            #expect(try await scene.outcomes() == ["rejected not_authentic": 1])
            #expect(try await scene.users(with: .receiptNotAuthentic) == ["u3"])
            #expect(apple.asks.count == 2)
        }
    }

    @Test(
        "Without a verified receipt the refusals of nine users are believed, and of ten are not",
        arguments: [
            (users: 9, outcome: "rejected not_authentic"),
            (users: 10, outcome: "unverified refusal_unconfirmed"),
        ])
    func nothingVerified(refused: (users: Int, outcome: String)) async throws {
        try await SecondLookScene.with(users: refused.users) { scene in
            let apple = try ScriptedApple(status: 21003)
            let pass = try await Pass(scene.database, apple)
            try await pass.reconcile()
            _ = try await pass.summary()
            #expect(try await scene.outcomes() == [refused.outcome: refused.users])
        }
    }

    @Test("A receipt that Apple signed is never rejected by 21003")
    func signed() async throws {
        try await SecondLookScene.with(users: 30) { scene in
            let authority = ReceiptAuthority.shared
            func sign(_ serial: UInt8) -> String {
                var payload = PayloadForge()
                payload.opaque = [serial]
                let base64 = Base64.encode(authority.receipt(payload.encoded))
                return String(decoding: base64, as: UTF8.self)
            }
            let authentic = sign(1)
            let gone = sign(2)
            let forged = TestDatabase.receipt("forged")
            try await scene.test.store(receipt: "authentic", of: "u1", data: .text(authentic))
            try await scene.test.store(receipt: "gone", of: "u2", data: .text(gone))
            try await scene.test.store(receipt: "forged", of: "u3", data: .text(forged))
            let apple = try ScriptedApple { ask in
                switch ask.receipt {
                case authentic, forged: [.reply(AppleAnswer.status(21003))]
                case gone: [.reply(AppleAnswer.status(21010))]
                default: [OutageScene.valid(ask)]
                }
            }
            let pass = try await Pass(
                scene.database, apple, roots: TrustedRoots([authority.root.der]))
            try await pass.reconcile()
            _ = try await pass.summary()
            #expect(
                try await scene.outcomes() == [
                    "verified": 30, "rejected not_authentic": 1, "rejected account_gone": 1,
                    "unverified refusal_contradicts_signature": 1,
                ])
            #expect(try await scene.users(with: .receiptNotAuthentic) == ["u3"])
            #expect(apple.asksByReceipt[authentic] == 2)
        }
    }

    @Test("Identical receipts of one user are sent once a look, those of two users twice")
    func identical() async throws {
        try await SecondLookScene.with(users: 20) { scene in
            let forged = TestDatabase.receipt("forged")
            for (id, user) in [("f1", "u1"), ("f2", "u1"), ("f3", "u1"), ("g1", "u2")] {
                try await scene.test.store(receipt: id, of: user, data: .text(forged))
            }
            let apple = try SecondLookScene.apple(refusing: [forged])
            let pass = try await Pass(scene.database, apple)
            try await pass.reconcile()
            #expect(
                try await scene.outcomes() == ["verified": 20, "rejected not_authentic": 4])
            #expect(apple.asksByReceipt[forged] == 4)
            #expect(try await pass.summary().requests.sent == apple.asks.count)
        }
    }
}

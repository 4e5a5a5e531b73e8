import Foundation
import Testing

@testable import TestSupport

@Suite("A stranger at the receipt validation service", .timeLimit(.minutes(10)))
struct StrangerTests {
    /// A service as a team sets it up, except that a test's authority signs for Apple.
    private static let service = "$SIGNED --roots=roots"

    @Test(
        "A receipt that Apple did not sign is answered without asking Apple",
        arguments: [Session.Seal.altered, .otherRoot, .unsigned])
    func notSigned(seal: Session.Seal) async throws {
        try await Session.serving(Self.service) { scene in
            let answer = try await scene.post("map", seal)
            #expect(answer.status == 200)
            #expect(answer.body == Session.fail)
            #expect(scene.apple.asks.count == 0)
        }
    }

    @Test(
        "A receipt that Apple signed unlocks what Apple says, also if its envelope was changed",
        arguments: [Session.Seal.genuine, .variant])
    func signed(seal: Session.Seal) async throws {
        try await Session.serving(Self.service) { scene in
            let answer = try await scene.post("map", seal)
            #expect(answer.status == 200)
            #expect(answer.body.contains("remote.map"))
            #expect(scene.apple.asks.count == 1)
        }
    }

    @Test(
        "With --ask-unsigned, Apple is asked about a receipt that it did not sign",
        arguments: [Session.Seal.altered, .otherRoot, .unsigned])
    func asked(seal: Session.Seal) async throws {
        try await Session.serving(Self.service + " --ask-unsigned") { scene in
            let answer = try await scene.post("map", seal)
            #expect(answer.body.contains("remote.map"))
            #expect(scene.apple.asks.count == 1)
        }
    }

    @Test(
        "Apple gets one request about bytes that it did not write, else --max-attempts",
        arguments: [(Session.Seal.unsigned, 1), (.altered, 1), (.variant, 1), (.genuine, 3)])
    func attempts(seal: Session.Seal, expected: Int) async throws {
        let flags = Self.service + " --ask-unsigned --max-attempts=3"
        try await Session.serving(flags) { scene in
            let answer = try await scene.post("silent", seal)
            #expect(answer.status == 503)
            #expect(scene.apple.asks.count == expected)
        }
    }

    @Test(
        "A user_id that a client chose counts only with --trust-user-id",
        arguments: [("", false), ("--trust-user-id", true)])
    func userID(flag: String, isTrusted: Bool) async throws {
        try await Session.serving("\(Self.service) \(flag)") { scene in
            #expect(try await scene.post("map", .genuine, user: "victim").status == 200)
            let stored = try await scene.test.texts(
                "select user_id || ' ' || receipt_id from reconcile.stored_receipts")
            let row = stored.compactMap(\.self).joined(separator: ",")
            let digest = row.suffix(64)
            #expect(row.dropLast(65) == (isTrusted ? "victim" : digest))
        }
    }

    @Test("Stored validations, keys and the health are answered while thousands wait for Apple")
    func besideTheQueue() async throws {
        let gate = Gate()
        // A slow machine must not let a request wait too long for its turn.
        let flags = Self.service + " --outage-patience=1h --receipt-deadline=1h"
        try await Session.serving(flags, holding: ["both": gate]) { scene in
            let stored = try await scene.post("map", .genuine)
            let match = try #require(stored.body.firstMatch(of: #/"download_key":"([^"]+)"/#))
            let waiting = (0..<2_100).compactMap { _ in
                scene.client.sending(
                    "POST", "/validate",
                    Session.request(receipt: Session.receipt("both", .genuine)))
            }
            #expect(waiting.count == 2_100)
            await scene.apple.production.arrival(of: 2)
            #expect(try await scene.client.ask("GET", "/healthz").status == 200)
            let opened = try await scene.client.ask("GET", "/open-key", key: String(match.1))
            #expect(opened.status == 200)
            #expect(try await scene.post("map", .genuine).status == 200)
            for socket in waiting { close(socket) }
            gate.open()
        }
    }

    @Test("A request that had to wait too long is told so in the log by a flag that serve has")
    func tooLate() async throws {
        let log = try await Session.serving(Self.service + " --outage-patience=0s") { scene in
            let answer = try await scene.post("map", .genuine)
            #expect(answer.status == 503)
        }
        #expect(log.contains("could not be validated"))
        #expect(log.contains("--outage-patience"))
        #expect(!log.contains("--max-runtime"))
    }

    @Test("The log has one line about requests that fail alike, and then their number")
    func logged() async throws {
        let log = try await Session.serving(Self.service + " --max-attempts=1") { scene in
            for _ in 0..<7 {
                let answer = try await scene.post("silent", .genuine)
                #expect(answer.status == 503)
            }
        }
        let lines = log.split(separator: "\n").filter { $0.contains("could not be validated") }
        #expect(lines.count <= 2)
        #expect(lines.last?.contains("6 more") == true)
    }

    @Test("validate takes the flags of serve, and its user_id always counts")
    func validates() async throws {
        try await Session.service { scene in
            for seal in [Session.Seal.genuine, .altered] {
                let receipt = Session.receipt("map", seal)
                try scene.folder.write(
                    Session.request(receipt: receipt, user: "own-\(seal)"), to: "\(seal)")
            }
            try await scene.steps(
                """
                job validate $SIGNED --roots=roots < altered | 0 | = \(Session.fail)
                select user_id from reconcile.stored_receipts |
                job validate $SIGNED --roots=roots < genuine | 0 | > remote.map | 2> in tests
                select user_id from reconcile.stored_receipts | own-genuine
                job validate $SIGNED --roots=roots --ask-unsigned < altered | 0 | > remote.map
                job validate $SIGNED --trust-user-id < genuine | 64
                """)
        }
    }
}

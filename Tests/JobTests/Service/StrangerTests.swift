import Foundation
import Testing

@testable import TestSupport

/// To add a case: copy a test; `ServiceSession` has what a client can send.
@Suite("A stranger at the receipt validation service", .hangLimit)
struct StrangerTests {
    @Test(
        "A receipt that Apple did not sign is answered without asking Apple",
        arguments: [Session.Seal.altered, .otherRoot, .unsigned])
    func notSigned(seal: Session.Seal) async throws {
        try await Session.serving(.signedOnly) { session in
            let answer = try await session.post("map", seal)
            #expect(answer.status == 200)
            #expect(answer.body == Session.fail)
            #expect(session.apple.asks.count == 0)
        }
    }

    @Test(
        "A receipt that Apple signed unlocks what Apple says, also if its envelope was changed",
        arguments: [Session.Seal.genuine, .variant])
    func signed(seal: Session.Seal) async throws {
        try await Session.serving(.signedOnly) { session in
            let answer = try await session.post("map", seal)
            #expect(answer.status == 200)
            #expect(answer.body.contains("remote.map"))
            #expect(session.apple.asks.count == 1)
        }
    }

    @Test(
        "With --ask-unsigned, Apple is asked about a receipt that it did not sign",
        arguments: [Session.Seal.altered, .otherRoot, .unsigned])
    func asked(seal: Session.Seal) async throws {
        try await Session.serving(.signedOnly, ["--ask-unsigned"]) { session in
            let answer = try await session.post("map", seal)
            #expect(answer.body.contains("remote.map"))
            #expect(session.apple.asks.count == 1)
        }
    }

    @Test(
        "Apple gets one request about bytes that it did not write, else --max-attempts",
        arguments: [
            (seal: Session.Seal.unsigned, requests: 1), (.altered, 1), (.variant, 1), (.genuine, 3),
        ])
    func attempts(seal: Session.Seal, requests: Int) async throws {
        try await Session.serving(.signedOnly, ["--ask-unsigned", "--max-attempts=3"]) { session in
            let answer = try await session.post("silent", seal)
            #expect(answer.status == 503)
            #expect(session.apple.asks.count == requests)
        }
    }

    @Test(
        "A user_id that a client chose counts only with --trust-user-id",
        arguments: [
            (flags: [], isTrusted: false), (flags: ["--trust-user-id"], isTrusted: true),
        ] as [(flags: [String], isTrusted: Bool)])
    func userID(flags: [String], isTrusted: Bool) async throws {
        try await Session.serving(.signedOnly, flags) { session in
            try await session.post("map", .genuine, user: "victim").answers(200)
            let stored: [StoredReceipt] = try await session.test.rows(
                "select user_id, receipt_id from reconcile.stored_receipts")
            try #require(stored.count == 1)
            #expect(stored[0].receiptID.count == 64)
            #expect(stored[0].userID == (isTrusted ? "victim" : stored[0].receiptID))
        }
    }

    private struct StoredReceipt: Decodable {
        let userID: String
        /// The digest of the receipt.
        let receiptID: String
    }

    @Test("Stored validations, keys and the health are answered while thousands wait for Apple")
    func besideTheQueue() async throws {
        let gate = Gate()
        // A slow machine must not let a request wait too long for its turn.
        let patience = ["--outage-patience=1h", "--receipt-deadline=1h"]
        try await Session.serving(.signedOnly, patience, holding: ["both": gate]) { session in
            let stored = try await session.post("map", .genuine)
            let key = try #require(stored.downloadKeys.first)
            let waiting = (0..<2_100).compactMap { _ in
                session.client.sending(
                    "POST", "/validate",
                    Session.request(receipt: Session.receipt("both", .genuine)))
            }
            #expect(waiting.count == 2_100)
            await session.apple.production.arrival(of: 2)
            try await session.client.ask("GET", "/healthz").answers(200)
            let opened = try await session.client.ask("GET", "/open-key", key: key)
            #expect(opened.status == 200)
            try await session.post("map", .genuine).answers(200)
            for socket in waiting { close(socket) }
            gate.open()
        }
    }

    @Test("The log names, about a request that had to wait too long, a flag that serve has")
    func tooLate() async throws {
        let log = try await Session.serving(.signedOnly, ["--outage-patience=0s"]) { session in
            let answer = try await session.post("map", .genuine)
            #expect(answer.status == 503)
        }
        #expect(log.contains("could not be validated"))
        #expect(log.contains("--outage-patience"))
        #expect(!log.contains("--max-runtime"))
    }

    @Test("The log has one line about requests that fail alike, and then their number")
    func logged() async throws {
        let log = try await Session.serving(.signedOnly, ["--max-attempts=1"]) { session in
            for _ in 0..<7 {
                let answer = try await session.post("silent", .genuine)
                #expect(answer.status == 503)
            }
        }
        let lines = log.split(separator: "\n").filter { $0.contains("could not be validated") }
        // On a slow machine the pause between two lines may be over during the requests.
        #expect(lines.count < 7)
        #expect(try lines.map(Self.requests(in:)).reduce(0, +) == 7)
    }

    /// The number of failed requests that a line of the log is about.
    private static func requests(in line: Substring) throws -> Int {
        guard let more = line.firstRange(of: " more of this kind") else { return 1 }
        let number = line[..<more.lowerBound].split(separator: " ").last ?? ""
        let suppressed = try #require(Int(number), "\(line)")
        return suppressed + (line.contains("Before it, ") ? 1 : 0)
    }

    @Test("validate takes the flags of serve, and its user_id always counts")
    func validates() async throws {
        try await Session.service { session in
            for seal in [Session.Seal.genuine, .altered] {
                let receipt = Session.receipt("map", seal)
                try session.folder.write(
                    Session.request(receipt: receipt, user: "own-\(seal)"), to: "\(seal)")
            }
            let signed = session.flags(of: .signedOnly)
            let rows = "select user_id from reconcile.stored_receipts"
            let altered = Launch.input(file: "altered")
            let genuine = Launch.input(file: "genuine")
            let refused = try await session.job(["validate"] + signed, with: altered).exits()
            #expect(refused.output == Session.fail)
            try await session.query(rows).returnsNothing()
            try await session.job(["validate"] + signed, with: genuine).exits()
                .prints("remote.map").logs("in tests")
            try await session.query(rows).returns("own-genuine")
            try await session.job(["validate"] + signed + ["--ask-unsigned"], with: altered).exits()
                .prints("remote.map")
            try await session.job(["validate"] + signed + ["--trust-user-id"], with: genuine)
                .exits(64)
        }
    }
}

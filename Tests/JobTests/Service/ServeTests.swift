import Foundation
import Testing

@testable import TestSupport

/// To add a case: copy a test; `ServiceSession` has what a client can send.
@Suite("The receipt validation service", .hangLimit)
struct ServeTests {
    @Test("serve answers over SCGI, also while others send nothing, and removes its socket")
    func serves() async throws {
        var key = ""
        let log = try await Session.serving { session in
            #expect(session.mode(of: "s") == 0o660)
            let idle = (0..<200).compactMap { _ in session.client.connected() }
            #expect(idle.count == 200)
            for socket in idle { send(socket, "24", 2, Int32(MSG_NOSIGNAL)) }
            let answer = try await session.post("map")
            #expect(answer.status == 200)
            #expect(answer.head.contains("application/json"))
            for socket in idle { close(socket) }
            key = try #require(answer.downloadKeys.first)
            let opened = try await session.client.ask("GET", "/open-key", key: key)
            #expect(opened.status == 200)
            #expect(opened.head.contains("X-Remote-Product-Id: remote.map"))
            let refused = try await session.client.ask("GET", "/open-key", key: key + "x")
            #expect(refused.status == 403)
            #expect(refused.body.contains("forged"))
            // Errors for receipts that a client altered do not count as an outage.
            for serial in 100..<160 {
                let payload = ReceiptForge.payload(serial: "\(serial)")
                var receipt = ReceiptAuthority.shared.receipt(payload)
                let range = try #require(receipt.firstRange(of: Array("\(serial)".utf8)))
                receipt[range.lowerBound] ^= 1
                let altered = #"{"receipt-data":"\#(Data(receipt).base64EncodedString())"}"#
                let answer = try await session.client.ask("POST", "/validate", altered)
                #expect(answer.status == 200)
                #expect(answer.body == Session.fail)
            }
        }
        for text in [key, "outage", "halved"] { #expect(!log.contains(text)) }
    }

    @Test("serve answers malformed requests and unknown paths with their status")
    func refuses() async throws {
        try await Session.serving { session in
            for (method, path, status) in [
                ("POST", "/validate", 400), ("GET", "/validate", 405), ("POST", "/open-key", 405),
                ("GET", "/nowhere", 404), ("GET", "/healthz/../open-key", 404),
            ] {
                let answer = try await session.client.ask(method, path, "{}")
                #expect(answer.status == status, "\(method) \(path)")
            }
            let silent = try await session.post("silent")
            #expect(silent.status == 503)
            #expect(silent.body == Session.fail)
            #expect(silent.head.contains("Retry-After: "))
            for nonsense in ["abc:", "GET / HTTP/1.1\r\n\r\n", "5:hello,", "99999999999:x"] {
                await session.client.send(nonsense).answers(400)
            }
            try await session.client.ask("GET", "/healthz").answers(200)
        }
    }

    @Test("Simultaneous requests for one receipt make one call, and other receipts do not wait")
    func together() async throws {
        let gate = Gate()
        let log = try await Session.serving(
            .asksUnsigned, ["--trust-user-id"], holding: ["both": gate]
        ) { session in
            try await session.post("map").answers(200)
            async let answers = session.statuses(20) { _ in try await session.post("both") }
            // Apple is slow with one receipt, and meanwhile another, stored one is answered.
            try await session.post("map").answers(200)
            gate.open()
            let statuses = try await answers
            #expect(statuses == [200])
            #expect(session.apple.asks.count == 2)
            // Users who are named at the same time for one receipt are recorded, up to ten.
            let named = try await session.statuses(12) {
                try await session.post("pen", user: "u\($0)")
            }
            #expect(named == [200])
            let users = try await session.test.texts(
                "select user_id from reconcile.stored_receipts where user_id ~ '^u[0-9]+$'")
            #expect(users.count == 10)
            // Of several notices of a kind the log has the last one, so this one comes by itself.
            try await session.post("pen", user: "u12").answers(200)
        }
        #expect(log.contains("ten users"))
    }

    @Test("serve replaces a dead server's socket, no live one's, and finishes requests in flight")
    func stops() async throws {
        let gate = Gate()
        try await Session.service(holding: ["map": gate]) { session in
            let killed = try await session.server()
            try await session.job(["serve", "--socket=s"] + session.flags(of: .asksUnsigned)).exits(
                75
            )
            .says("Another server")
            await killed.finish(by: SIGKILL)
            #expect(session.exists("s"))
            let job = try await session.server()
            async let answer = session.post("map")
            await session.apple.production.arrival(of: 1)
            let idle = try #require(session.client.connected())
            job.send(SIGTERM)
            // The socket is removed, then an idle client is disconnected; the request is answered.
            #expect(LoopbackSocket.receive(from: idle).isEmpty)
            close(idle)
            #expect(!session.exists("s"))
            gate.open()
            try await answer.answers(200)
            await job.finish().exits()
        }
    }
}

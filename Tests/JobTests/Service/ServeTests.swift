import Foundation
import Testing

@testable import TestSupport

@Suite("The command serve")
struct ServeTests {
    private static let fail = #"{"status":"fail","products":[]}"#

    @Test("serve answers over SCGI, and removes its socket at the end")
    func serves() async throws {
        try await ServiceScene.with(always: .reply(ValidateTests.bought("map"))) { scene in
            let job = try await scene.serve()
            var status = stat()
            #expect(stat(scene.socket, &status) == 0 && status.st_mode & 0o777 == 0o660)
            let answer = try await scene.ask("POST", "/validate", ServiceScene.request("1"))
            #expect(answer.status == 200 && answer.head.contains("application/json"))
            let key = try keys(in: answer.body)["remote.map"] ?? ""
            let opened = try await scene.ask("GET", "/open-key", key: key)
            #expect(opened.status == 200)
            #expect(opened.head.contains("X-Remote-Product-Id: remote.map"))
            let refused = try await scene.ask("GET", "/open-key", key: key + "x")
            #expect(refused.status == 403 && refused.body.contains("forged"))
            job.send(SIGTERM)
            let end = await job.end()
            #expect(end.status == 0, "\(end.error)")
            #expect(!FileManager.default.fileExists(atPath: scene.socket))
            #expect(!end.error.contains(key))
        }
    }

    @Test("serve answers malformed requests and unknown paths with their status")
    func refuses() async throws {
        try await ServiceScene.with(always: .hangUp) { scene in
            let job = try await scene.serve()
            #expect(try await scene.ask("POST", "/validate", "{}").status == 400)
            #expect(try await scene.ask("GET", "/validate").status == 405)
            #expect(try await scene.ask("POST", "/open-key").status == 405)
            #expect(try await scene.ask("GET", "/nowhere").status == 404)
            #expect(try await scene.ask("GET", "/healthz/../open-key").status == 404)
            let silent = try await scene.ask("POST", "/validate", ServiceScene.request("1"))
            #expect(silent.status == 503 && silent.body == Self.fail)
            #expect(silent.head.contains("Retry-After: "))
            for nonsense in ["abc:", "GET / HTTP/1.1\r\n\r\n", "5:hello,", "99999999999:x"] {
                let answer = await SCGIClient(scene.socket).send(nonsense)
                #expect([0, 400].contains(answer.status), "\(nonsense)")
            }
            #expect(try await scene.ask("GET", "/healthz").status == 200)
            job.send(SIGTERM)
            _ = await job.end()
        }
    }

    @Test("Simultaneous requests for one receipt make one call, and other receipts do not wait")
    func together() async throws {
        let gate = Gate()
        let script: ServiceScene.Script = { serial in
            if serial == "2" { gate.wait() }
            return .reply(ValidateTests.bought("map"))
        }
        try await ServiceScene.with(script) { scene in
            let job = try await scene.serve()
            #expect(
                try await scene.ask("POST", "/validate", ServiceScene.request("1")).status == 200)
            let answers = try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await scene.ask("POST", "/validate", ServiceScene.request("2"))
                    }
                }
                // Apple is slow with one receipt, and meanwhile another, stored one is answered.
                let other = try await scene.ask(
                    "POST", "/validate", ServiceScene.request("1"))
                #expect(other.status == 200)
                gate.open()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(scene.apple.asks.count == 2)
            job.send(SIGTERM)
            _ = await job.end()
        }
    }

    @Test("serve finishes requests in flight before it ends")
    func stops() async throws {
        let gate = Gate()
        let script: ServiceScene.Script = { _ in
            gate.wait()
            return .reply(ValidateTests.bought("map"))
        }
        try await ServiceScene.with(script) { scene in
            let job = try await scene.serve()
            async let answer = scene.ask("POST", "/validate", ServiceScene.request("1"))
            await scene.apple.production.arrival(of: 1)
            job.send(SIGTERM)
            // The socket is gone, and the request in flight is still answered.
            while FileManager.default.fileExists(atPath: scene.socket) {
                try await Task.sleep(for: .milliseconds(10))
            }
            gate.open()
            #expect(try await answer.status == 200)
            #expect(await job.end().status == 0)
        }
    }

    @Test("serve replaces a socket that was left behind, and leaves that of a live server alone")
    func socketLeft() async throws {
        try await ServiceScene.with(always: .reply(ValidateTests.bought("map"))) { scene in
            let killed = try await scene.serve()
            let second = try await scene.run(
                [
                    "serve", "--socket=\(scene.socket)", "--database=\(scene.database)",
                    "--download-key-file=\(scene.keyFile)",
                ], input: "")
            #expect(second.status == 75 && second.lastLine.contains("Another server"))
            killed.send(SIGKILL)
            _ = await killed.end()
            #expect(FileManager.default.fileExists(atPath: scene.socket))
            let job = try await scene.serve()
            job.send(SIGTERM)
            #expect(await job.end().status == 0)
        }
    }

    @Test("Errors for receipts that a client altered do not count as an outage")
    func altered() async throws {
        try await ServiceScene.with(always: .reply(AppleAnswer.status(21002))) { scene in
            let job = try await scene.serve()
            for serial in 100..<160 {
                var receipt = ReceiptAuthority.shared.receipt(
                    ReceiptForge.payload(serial: "\(serial)"))
                let place = try #require(receipt.firstRange(of: Array("\(serial)".utf8)))
                receipt[place.lowerBound] ^= 1
                let text = Data(receipt).base64EncodedString()
                let answer = try await scene.ask(
                    "POST", "/validate", #"{"receipt-data":"\#(text)"}"#)
                #expect(answer.status == 200 && answer.body == Self.fail)
            }
            job.send(SIGTERM)
            let end = await job.end()
            #expect(!end.error.contains("outage"), "\(end.error)")
            #expect(!end.error.contains("halved"), "\(end.error)")
        }
    }

    @Test("Users who are named at the same time for one receipt are recorded, up to ten")
    func usersTogether() async throws {
        try await ServiceScene.with(always: .reply(ValidateTests.bought("map"))) { scene in
            let job = try await scene.serve()
            let statuses = try await withThrowingTaskGroup { group in
                for number in 0..<12 {
                    group.addTask {
                        try await scene.ask(
                            "POST", "/validate", ServiceScene.request("1", user: "u\(number)")
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 12))
            let users = try await scene.test.texts(
                "select count(distinct user_id)::text from reconcile.stored_receipts")
            #expect(users == ["10"])
            job.send(SIGTERM)
            #expect(await job.end().error.contains("ten users"))
        }
    }

    @Test("serve answers others while many clients send nothing")
    func idleClients() async throws {
        try await ServiceScene.with(always: .reply(ValidateTests.bought("map"))) { scene in
            let job = try await scene.serve()
            let client = SCGIClient(scene.socket)
            let idle = (0..<200).compactMap { _ in client.connected() }
            #expect(idle.count == 200)
            for socket in idle { send(socket, "24", 2, Int32(MSG_NOSIGNAL)) }
            let answer = try await scene.ask("POST", "/validate", ServiceScene.request("1"))
            #expect(answer.status == 200)
            for socket in idle { close(socket) }
            job.send(SIGTERM)
            #expect(await job.end().status == 0)
        }
    }
}

import Foundation
import Testing

@testable import TestSupport

@Suite("The command serve")
struct ServeTests {
    @Test("serve answers over SCGI, also while others send nothing, and removes its socket")
    func serves() async throws {
        try await ServiceScene.with { scene in
            let said = Shared("")
            let log = try await scene.serving {
                var status = stat()
                #expect(stat(scene.socket, &status) == 0 && status.st_mode & 0o777 == 0o660)
                let client = SCGIClient(scene.socket)
                let idle = (0..<200).compactMap { _ in client.connected() }
                #expect(idle.count == 200)
                for socket in idle { send(socket, "24", 2, Int32(MSG_NOSIGNAL)) }
                let answer = try await scene.post("1")
                #expect(answer.status == 200 && answer.head.contains("application/json"))
                for socket in idle { close(socket) }
                let key = try keys(in: answer.body)["remote.map"] ?? ""
                let opened = try await scene.ask("GET", "/open-key", key: key)
                #expect(opened.status == 200)
                #expect(opened.head.contains("X-Remote-Product-Id: remote.map"))
                let refused = try await scene.ask("GET", "/open-key", key: key + "x")
                #expect(refused.status == 403 && refused.body.contains("forged"))
                said.update { $0 = key }

                // Errors for receipts that a client altered do not count as an outage.
                for serial in 100..<160 {
                    var receipt = ReceiptAuthority.shared.receipt(
                        ReceiptForge.payload(serial: "\(serial)"))
                    let place = try #require(receipt.firstRange(of: Array("\(serial)".utf8)))
                    receipt[place.lowerBound] ^= 1
                    let text = Data(receipt).base64EncodedString()
                    let altered = #"{"receipt-data":"\#(text)"}"#
                    let answer = try await scene.ask("POST", "/validate", altered)
                    #expect(answer.status == 200 && answer.body == ServiceScene.fail)
                }
            }
            for text in [said.current, "outage", "halved"] { #expect(!log.contains(text)) }
        }
    }

    @Test("serve answers malformed requests and unknown paths with their status")
    func refuses() async throws {
        try await ServiceScene.with { scene in
            try await scene.serving {
                for row in textTable(
                    """
                    POST | /validate | 400
                    GET | /validate | 405
                    POST | /open-key | 405
                    GET | /nowhere | 404
                    GET | /healthz/../open-key | 404
                    """)
                {
                    let answer = try await scene.ask(row[0], row[1], "{}")
                    #expect("\(answer.status)" == row[2], "\(row)")
                }
                let silent = try await scene.post("9")
                #expect(silent.status == 503 && silent.body == ServiceScene.fail)
                #expect(silent.head.contains("Retry-After: "))
                for nonsense in ["abc:", "GET / HTTP/1.1\r\n\r\n", "5:hello,", "99999999999:x"] {
                    let answer = await SCGIClient(scene.socket).send(nonsense)
                    #expect([0, 400].contains(answer.status), "\(nonsense)")
                }
                #expect(try await scene.ask("GET", "/healthz").status == 200)
            }
        }
    }

    @Test("Simultaneous requests for one receipt make one call, and other receipts do not wait")
    func together() async throws {
        let gate = Gate()
        try await ServiceScene.with { serial in
            if serial == "2" { gate.wait() }
            return ServiceScene.bought("map")
        } _: { scene in
            let log = try await scene.serving {
                #expect(try await scene.post("1").status == 200)
                async let answers = scene.together(20) { _ in try await scene.post("2").status }
                // Apple is slow with one receipt, and meanwhile another, stored one is answered.
                #expect(try await scene.post("1").status == 200)
                gate.open()
                #expect(try await answers == Array(repeating: 200, count: 20))
                #expect(scene.asked == 2)

                // Users who are named at the same time for one receipt are recorded, up to ten.
                let named = try await scene.together(12) { number in
                    try await scene.post("3", user: "u\(number)").status
                }
                #expect(named == Array(repeating: 200, count: 12))
                let users = try await scene.test.texts(
                    "select count(distinct user_id)::text from reconcile.stored_receipts")
                #expect(users == ["10"])
            }
            #expect(log.contains("ten users"))
        }
    }

    @Test("serve finishes requests in flight before it ends")
    func stops() async throws {
        let gate = Gate()
        try await ServiceScene.with { _ in
            gate.wait()
            return ServiceScene.bought("map")
        } _: { scene in
            let job = try await scene.server()
            async let answer = scene.post("1")
            await scene.apple.production.arrival(of: 1)
            let removal = try Removal(from: scene.folder.path)
            job.send(SIGTERM)
            // The socket is gone, and the request in flight is still answered.
            await removal.happened()
            gate.open()
            #expect(try await answer.status == 200)
            #expect(await job.end().status == 0)
        }
    }

    @Test("serve replaces a socket that was left behind, and leaves that of a live server alone")
    func socketLeft() async throws {
        try await ServiceScene.with { scene in
            let killed = try await scene.server()
            try await scene.steps("job serve --socket=s $SERVICE | 75 | Another server")
            killed.send(SIGKILL)
            _ = await killed.end()
            #expect(FileManager.default.fileExists(atPath: scene.socket))
            try await scene.serving()
        }
    }
}

/// The removal of a file from a folder.
private struct Removal {
    private let events: Int32

    init(from folder: String) throws {
        events = inotify_init1(Int32(IN_CLOEXEC))
        try #require(inotify_add_watch(events, folder, UInt32(IN_DELETE)) >= 0)
    }

    func happened() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var event = [UInt8](repeating: 0, count: 1_024)
                read(events, &event, event.count)
                close(events)
                continuation.resume()
            }
        }
    }
}

@Suite("The audit of issued download keys", .timeLimit(.minutes(10)))
struct KeyAuditTests {
    @Test("The audit finds keys of refunded products, of products not shown, and missing keys")
    func audit() async throws {
        let night = Shared("a")
        try await ServiceScene.with { serial in
            let map = AppleAnswer.purchase("11", of: "map", isRefunded: night.current == "b")
            let bundle = AppleAnswer.purchase("21", of: "both")
            return .reply(
                AppleAnswer.verified(serial == "1" ? [map] : night.current == "c" ? [] : [bundle]))
        } _: { scene in
            let ann = try await scene.validate("1-ann")
            _ = try await scene.validate("2-bob")
            #expect(try await scene.night("a") == [])
            night.update { $0 = "b" }
            #expect(try await scene.night("b") == ["download_key_for_revoked_product ann map"])
            try await scene.open(try keys(in: ann.output)["remote.map"]).ends(1, "> revoked")
            night.update { $0 = "c" }
            let orphans = [String](repeating: "download_key_orphaned bob both", count: 2)
            #expect(try await scene.night("c") == orphans)

            // The views of keys and of paid apps are optional; the log says that they are empty.
            try await scene.steps(
                """
                drop view reconcile.stored_download_keys, reconcile.catalog_apps
                run --reports=d | 0 | 2> view reconcile.catalog_apps is missing; it is treated \
                    | 2> view reconcile.stored_download_keys is missing; it is treated
                """)
        }
    }

    @Test("A product that Apple shows and that has no key is found once any receipt has a key")
    func notUnlocked() async throws {
        let hasSong = Shared(false)
        try await ServiceScene.with { serial in
            serial == "1"
                ? ServiceScene.bought("song")
                : hasSong.current ? ServiceScene.bought("map", "song") : ServiceScene.bought("map")
        } _: { scene in
            _ = try await scene.validate("2-bob")
            hasSong.update { $0 = true }
            // Without any key of the product, it may be a product without assets.
            #expect(try await scene.night("a") == [])
            _ = try await scene.validate("1-ann")
            #expect(try await scene.night("b") == ["product_not_unlocked bob song"])
        }
    }
}

extension ServiceScene {
    /// Runs over everything and returns the findings about download keys, with user and product,
    /// sorted.
    fileprivate func night(_ name: String) async throws -> [String] {
        try await steps("run --reports=\(name) | 0")
        let data = Data(try folder.read(name + "/latest/mismatches.json").utf8)
        let rows = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
        return rows.compactMap { row in
            let cells = ["kind", "user_id", "product_stored", "product_apple"]
                .compactMap { row[$0] as? String }
            guard cells[0].contains(#/^(download_key|product_not_unlocked)/#) else { return nil }
            return cells.prefix(3).joined(separator: " ")
        }.sorted()
    }
}

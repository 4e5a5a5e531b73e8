import Foundation
import Testing

@testable import TestSupport

@Suite("The receipt validation service", .timeLimit(.minutes(10)))
struct ServeTests {
    @Test("The service answers as the receipt, its users and the set-up allow", arguments: sessions)
    func session(session: TextSession) async throws {
        try await Session.service { try await $0.steps(session.steps) }
    }

    @Test("serve answers over SCGI, also while others send nothing, and removes its socket")
    func serves() async throws {
        var key = ""
        let log = try await Session.serving { scene in
            var status = stat()
            #expect(stat(scene.socket, &status) == 0 && status.st_mode & 0o777 == 0o660)
            let idle = (0..<200).compactMap { _ in scene.client.connected() }
            #expect(idle.count == 200)
            for socket in idle { send(socket, "24", 2, Int32(MSG_NOSIGNAL)) }
            let answer = try await scene.post("map")
            #expect(answer.status == 200 && answer.head.contains("application/json"))
            for socket in idle { close(socket) }
            let match = answer.body.firstMatch(of: #/"download_key":"([^"]+)"/#)
            key = String(try #require(match).1)
            let opened = try await scene.client.ask("GET", "/open-key", key: key)
            #expect(opened.status == 200)
            #expect(opened.head.contains("X-Remote-Product-Id: remote.map"))
            let refused = try await scene.client.ask("GET", "/open-key", key: key + "x")
            #expect(refused.status == 403 && refused.body.contains("forged"))
            // Errors for receipts that a client altered do not count as an outage.
            for serial in 100..<160 {
                let payload = ReceiptForge.payload(serial: "\(serial)")
                var receipt = ReceiptAuthority.shared.receipt(payload)
                let place = try #require(receipt.firstRange(of: Array("\(serial)".utf8)))
                receipt[place.lowerBound] ^= 1
                let altered = #"{"receipt-data":"\#(Data(receipt).base64EncodedString())"}"#
                let answer = try await scene.client.ask("POST", "/validate", altered)
                #expect(answer.status == 200 && answer.body == Session.fail)
            }
        }
        for text in [key, "outage", "halved"] { #expect(!log.contains(text)) }
    }

    @Test("serve answers malformed requests and unknown paths with their status")
    func refuses() async throws {
        try await Session.serving { scene in
            for (method, path, status) in [
                ("POST", "/validate", 400), ("GET", "/validate", 405), ("POST", "/open-key", 405),
                ("GET", "/nowhere", 404), ("GET", "/healthz/../open-key", 404),
            ] {
                let answer = try await scene.client.ask(method, path, "{}")
                #expect(answer.status == status, "\(method) \(path)")
            }
            let silent = try await scene.post("silent")
            #expect(silent.status == 503 && silent.body == Session.fail)
            #expect(silent.head.contains("Retry-After: "))
            for nonsense in ["abc:", "GET / HTTP/1.1\r\n\r\n", "5:hello,", "99999999999:x"] {
                #expect(await scene.client.send(nonsense).status == 400, "\(nonsense)")
            }
            #expect(try await scene.client.ask("GET", "/healthz").status == 200)
        }
    }

    @Test("Simultaneous requests for one receipt make one call, and other receipts do not wait")
    func together() async throws {
        let gate = Gate()
        let log = try await Session.serving(
            "$SERVICE --trust-user-id", holding: ["both": gate]
        ) { scene in
            #expect(try await scene.post("map").status == 200)
            async let answers = scene.statuses(20) { _ in try await scene.post("both") }
            // Apple is slow with one receipt, and meanwhile another, stored one is answered.
            #expect(try await scene.post("map").status == 200)
            gate.open()
            #expect(try await answers == [200])
            #expect(scene.apple.asks.count == 2)
            // Users who are named at the same time for one receipt are recorded, up to ten.
            let named = try await scene.statuses(12) { try await scene.post("pen", user: "u\($0)") }
            #expect(named == [200])
            let users = try await scene.test.texts(
                "select user_id from reconcile.stored_receipts where user_id ~ '^u[0-9]+$'")
            #expect(users.count == 10)
            // Of several notices of a kind the log has the last one, so this one comes by itself.
            #expect(try await scene.post("pen", user: "u12").status == 200)
        }
        #expect(log.contains("ten users"))
    }

    @Test("serve replaces a dead server's socket, no live one's, and finishes requests in flight")
    func stops() async throws {
        let gate = Gate()
        try await Session.service(holding: ["map": gate]) { scene in
            let killed = try await scene.server()
            try await scene.steps("job serve --socket=s $SERVICE | 75 | Another server")
            await killed.finish(by: SIGKILL)
            #expect(FileManager.default.fileExists(atPath: scene.socket))
            let job = try await scene.server()
            async let answer = scene.post("map")
            await scene.apple.production.arrival(of: 1)
            let idle = try #require(scene.client.connected())
            job.send(SIGTERM)
            // The socket is removed, then an idle client is disconnected; the request is answered.
            #expect(LoopbackSocket.receive(from: idle).isEmpty)
            close(idle)
            #expect(!FileManager.default.fileExists(atPath: scene.socket))
            gate.open()
            #expect(try await answer.status == 200)
            await job.finish().ends()
        }
    }
}

private let sessions = TextSession.all(
    #"""
    # validate asks Apple once, then answers from storage, with fresh keys that open
    job validate $SERVICE < both-ann > first && job validate $SERVICE < both-ann > second | 0
    echo $ASKED | 0 | = 1
    cat first | 0 | ~ ^\{"status":"ok","products":\[(\{[^}]*\},?){2}\]\}(?!\n) \#
        | > "product_id":"remote.map" | > "product_id":"remote song"
    cat first second| grep -oE '"download_key":"[^"]+"'| sort -u| wc -l | 0 | = 4
    (sh key remote.map < first; echo)| job open-key $KEYS | 0 \#
        | ~ ^\{"status":"ok","product_key":"file-map",
    sh key remote.map < second| job open-key $KEYS | 0 | > {"status":"ok","product_key":"file-map",
    select concat_ws(' ', user_id, bundle_id) from reconcile.stored_receipts | ann acme
    select concat_ws(' ', product_id, remote_product_id, position(concat( \#
    '"', remote_product_id, '","download_key":"', download_key, '"') in \#
    pg_read_file('$FOLDER/second')) > 0) from reconcile.stored_download_keys \#
    order by remote_product_id collate "C" | both remote song t,both remote.map t
    for n in 1 2 3; do (job validate $SERVICE < map > $n; echo $? >> $n) & done; wait; \#
    cat 1 2 3 | 0 | ~ ^(\{"status":"ok","products":\[\{[^}]+\}\]\}0\n){3}$
    echo $ASKED | 0 | = 2

    # validate asks Apple again after a recorded refund, and the old keys open nothing
    job validate $SERVICE < refunded > before | 0
    insert into reconcile.run (run_id, as_of, state, is_everything, makes_history, scope, \#
    settings, evidence, rules_version, code_version, finished_at) values \#
    ('r', now(), 'published', true, true, '{}', '{}', 'none', 1, 'x', now())
    insert into reconcile.ledger (first_run_no, first_seen, finding_id, state, kind, \#
    user_id, reference) select run_no, now(), gen_random_uuid(), 'event', \#
    'refund_recorded', 'u', '1-map' from reconcile.run
    sh key remote.map < before| job open-key $KEYS | 1 | = {"status":"fail","reason":"revoked"}
    sh key 'remote song' < before| job open-key $KEYS | 0
    job validate $SERVICE < refunded | 0 | > "remote song" | ! "remote.map"
    job validate $SERVICE < refunded | 0
    echo $ASKED | 0 | = 2
    sh key remote.map < before| job open-key $KEYS | 1

    # validate keeps the first user who is named, and logs others; no name adds no user
    set -e; for request in map map-ann map-ann; do job validate $SERVICE < $request; done | 0 \#
        | ~ ("download_key".*){3} | ! stored for another user
    job validate $SERVICE < map-bob | 0 | > "download_key" | 2> stored for another user
    job validate $SERVICE < map | 0 | > "download_key" | ! stored for another user
    select user_id from reconcile.stored_receipts order by user_id | ann,bob
    echo $ASKED | 0 | = 1

    # Without a verdict validate stores nothing; that a receipt unlocks nothing it keeps a minute
    for n in 21005 21002 21004 21000; do job validate $SERVICE < $n; echo $?; done | 0 \#
        | ~ ^(\{"status":"fail","products":\[\]\}69\n){4}$
    select receipt_id from app.receipts |
    job validate $SERVICE < pen | 0 | ! download_key
    select (valid_until - validated_at <= interval '1 min')::text from app.receipts | true

    # validate answers fail for a refused receipt, no receipt and another team's app
    umask 077; echo '* = 0123' > secrets | 0
    job validate $SERVICE --shared-secrets=secrets < 21003 | 0 | = {"status":"fail","products":[]}
    echo $ASKED; job validate $SERVICE < stranger | 0 | = 1¶{"status":"fail","products":[]}
    echo '{"receipt-data":"nothing"}'| job validate $SERVICE | 0 | = {"status":"fail","products":[]}
    echo $ASKED | 0 | = 1
    echo {}| job validate $SERVICE | 64 | receipt-data

    # keys new prints a line for the key file, private and valid; without tables migrate is advised
    job keys | 64
    job keys new | 0 | ~ ^k[0-9a-f]{8} = [A-Za-z0-9+/]{43}=\n$
    chmod 640 keys; echo x| job open-key $KEYS | 77
    chmod 600 keys; echo 'key = short' > keys; echo x| job open-key $KEYS | 78 | Line 1 | ! short
    job keys new > keys; echo x| job open-key $KEYS | 1
    drop schema reconcile cascade
    job validate $SERVICE < map | 78 | migrate
    job open-key $KEYS < map | 78 | migrate

    # The audit finds keys of refunded products, of products not shown, and missing keys
    job validate $SERVICE < later-ann > ann && job validate $SERVICE < lost-bob | 0
    run --reports=a > log && sh audit a | 0 | =
    run --reports=b > log && sh audit b | 0 | = download_key_for_revoked_product ann map
    sh key remote.map < ann| job open-key $KEYS | 1 | > revoked
    run --reports=c > log && sh audit c | 0 \#
        | = download_key_orphaned bob both¶download_key_orphaned bob both
    drop view reconcile.stored_download_keys, reconcile.catalog_apps
    run --reports=d | 0 | 2> view reconcile.catalog_apps is missing; it is treated \#
        | 2> view reconcile.stored_download_keys is missing; it is treated

    # A product that Apple shows and that has no key is found once any receipt has a key
    job validate $SERVICE < more-bob | 0
    run --reports=a > log && sh audit a | 0 | =
    job validate $SERVICE < song-ann | 0
    run --reports=b > log && sh audit b | 0 | = product_not_unlocked bob song
    """#)

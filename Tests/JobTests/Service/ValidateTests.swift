import Testing

@testable import TestSupport

@Suite("The command validate", .timeLimit(.minutes(10)))
struct ValidateTests {
    @Test("validate asks Apple once, then answers from storage, with fresh keys that open")
    func validates() async throws {
        try await ServiceScene.with { scene in
            let first = try await scene.validate("2-ann").ends()
            let firstKeys = try keys(in: first.output)
            #expect(Set(firstKeys.keys) == ["remote song", "remote.map"])
            #expect(!first.output.hasSuffix("\n"))
            let secondKeys = try keys(in: try await scene.validate("2-ann").output)
            #expect(scene.asked == 1)
            #expect(Set(firstKeys.values).isDisjoint(with: secondKeys.values))
            for key in [firstKeys["remote.map"], secondKeys["remote.map"]] {
                try await scene.open((key ?? "") + "\n")
                    .ends(0, #"~ ^\{"status":"ok","product_key":"file-map","#)
            }
            let stored = "select user_id || ' ' || bundle_id from reconcile.stored_receipts"
            #expect(try await scene.test.texts(stored) == ["ann acme"])
            let rows = try await scene.test.texts(
                """
                select product_id || ' ' || remote_product_id || ' ' || download_key
                from reconcile.stored_download_keys order by 1
                """)
            #expect(rows == secondKeys.map { "both \($0.key) \($0.value)" }.sorted())

            // Several processes that are asked about one receipt at the same time make one call.
            for answer in try await scene.together(3, { _ in try await scene.validate("1") }) {
                #expect(try keys(in: answer.ends().output).count == 1)
            }
            #expect(scene.asked == 2)
        }
    }

    @Test("validate asks Apple again after a recorded refund, and the old keys open nothing")
    func refunded() async throws {
        let isRefunded = Shared(false)
        try await ServiceScene.with { _ in
            .reply(
                AppleAnswer.verified([
                    AppleAnswer.purchase("71", of: "map", isRefunded: isRefunded.current),
                    AppleAnswer.purchase("72", of: "song"),
                ]))
        } _: { scene in
            let before = try keys(in: try await scene.validate("1").output)
            // A published run has recorded the refund.
            try await scene.test.execute(
                """
                insert into reconcile.run (
                    run_id, as_of, state, is_everything, makes_history, scope, settings, evidence,
                    rules_version, code_version, finished_at
                )
                values ('r', now(), 'published', true, true, '{}', '{}', 'none', 1, 'x', now());
                insert into reconcile.ledger (
                    first_run_no, first_seen, finding_id, state, kind, user_id, reference
                )
                select run_no, now(), gen_random_uuid(), 'event', 'refund_recorded', 'u', '71'
                from reconcile.run where run_id = 'r';
                """)
            try await scene.open(before["remote.map"])
                .ends(1, #"= {"status":"fail","reason":"revoked"}"#)
            try await scene.open(before["remote song"]).ends()
            isRefunded.update { $0 = true }
            let after = try await scene.validate("1")
            #expect(Set(try keys(in: after.output).keys) == ["remote song"])
            // A validation after the run is not requested again.
            _ = try await scene.validate("1")
            #expect(scene.asked == 2)
            try await scene.open(before["remote.map"]).ends(1)
        }
    }

    @Test(
        "validate answers as the receipt, its users and the set-up allow",
        arguments: Session.all(
            #"""
            # validate keeps the first user who is named, and logs others; no name adds no user
            job validate $SERVICE < 1 | 0 | > "download_key" | ! stored for another user
            job validate $SERVICE < 1-ann | 0 | > "download_key" | ! stored for another user
            job validate $SERVICE < 1-ann | 0 | > "download_key" | ! stored for another user
            job validate $SERVICE < 1-bob | 0 | > "download_key" | 2> stored for another user
            job validate $SERVICE < 1 | 0 | > "download_key" | ! stored for another user
            select user_id from reconcile.stored_receipts order by user_id | ann,bob
            asks | 1

            # validate caches for only a minute that a receipt unlocks nothing, for whatever reason
            job validate $SERVICE < 3 | 0 | ! download_key
            select (valid_until - validated_at <= interval '1 min')::text from app.receipts | true

            # Without a verdict from Apple validate ends with 69 and fail, and stores nothing
            job validate $SERVICE < 4 | 69 | = {"status":"fail","products":[]}
            job validate $SERVICE < 5 | 69 | = {"status":"fail","products":[]}
            job validate $SERVICE < 6 | 69 | = {"status":"fail","products":[]}
            job validate $SERVICE < 7 | 69 | = {"status":"fail","products":[]}
            select receipt_id from app.receipts |

            # validate answers fail for a refused receipt, no receipt and another team's app
            umask 077; echo '* = 0123' > secrets | 0
            job validate $SERVICE --shared-secrets=secrets < 8 | 0 \#
                | = {"status":"fail","products":[]}
            asks | 1
            job validate $SERVICE < stranger | 0 | = {"status":"fail","products":[]}
            echo '{"receipt-data":"no receipt"}' > none; job validate $SERVICE < none | 0 \#
                | = {"status":"fail","products":[]}
            asks | 1
            echo {} > empty; job validate $SERVICE < empty | 64 | receipt-data

            # keys new prints a line for the key file, which must be private and valid
            job keys | 64
            job keys new | 0 | ~ ^k[0-9a-f]{8} = [A-Za-z0-9+/]{43}=\n$
            chmod 640 keys; echo x > key; job open-key $KEYS < key | 77
            chmod 600 keys; echo 'key = short' > keys; job open-key $KEYS < key | 78 | Line 1 \#
                | ! short
            job keys new > keys; job open-key $KEYS < key | 1

            # The service says what to do about a database without its tables
            drop schema reconcile cascade
            job validate $SERVICE < 1 | 78 | migrate
            job open-key $KEYS < 1 | 78 | migrate
            """#))
    func session(session: Session) async throws {
        try await ServiceScene.with { scene in
            let other = ServiceScene.request("2", bundle: "stranger")
            _ = try scene.folder.write(other, to: "stranger")
            try await scene.play(session)
        }
    }
}

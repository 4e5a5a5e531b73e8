import Testing

@testable import TestSupport

@Suite("A held run", .timeLimit(.minutes(10)))
struct GuardTests {
    /// What is done to the team's tables after three plausible runs, a flag of the next run, and
    /// the guards that hold it. The date in 2099 is in an outdated copy.
    @Test(
        "A held run clears nothing, and leaves latest and the ledger unchanged",
        arguments: textTriples(
            """
            truncate team.receipts, team.entitlements | --guards=on | empty
            truncate team.receipts | --guards=on | empty leap stale
            update team.receipts set data = to_jsonb(data)::text | --guards=on | leap unusable
            update team.entitlements set source = 'ios' | --guards=on | no_app_store_rows not_judged
            update team.products set price = price * 100 | --guards=on | leap
            delete from team.receipts where id > 'u130' | --guards=on | leap shrunk
            update team.receipts set id = id | --as-of=2026-12-01T02:00:00Z | stale
            update team.receipts set at = '2099-01-01' where id = 'u100' \
                | --as-of=2026-12-01T02:00:00Z | stale
            update team.receipts set id = id | --shared-secrets=$FOLDER/other | no_secret
            """))
    func held(calamity: String, flag: String, guards: String) async throws {
        try await Self.afterGoodNights { scene in
            _ = try scene.folder.write("other = x", to: "other")
            try await scene.steps(
                """
                create table team.before as select * from reconcile.ledger
                \(calamity)
                run --guards=on \(flag) | 4 | > HELD: | Run $RUN4 is held; later runs ignore it: \
                    | reconcile-job release $RUN4 --by WHO --why TEXT
                cat reports/$RUN4/index.html | 0 | > This run is held
                readlink reports/latest | 0 | = $RUN3
                select count(*)::text from ((table reconcile.ledger except table team.before) \
                    union all (table team.before except table reconcile.ledger)) as changes | 0
                """)
            let run = try await scene.runs[3]
            let reports = try PublishedReports(scene.reports + "/" + run)
            #expect(reports.summary["status"] as? String == "held")
            let reasons = reports.summary["implausible"] as? [[String: String]] ?? []
            let tripped = Set(reasons.compactMap { $0["guard"] }).sorted()
            #expect(tripped.joined(separator: " ") == guards)
            #expect(reasons.allSatisfy { $0["flag"]?.hasPrefix("--guard-") == true })
            #expect(try reports.column("kind", of: "cleared") == [])
        }
    }

    private static let release = "--reports=reports --by=ada --why='a price list in cents'"

    @Test(
        "A guard holds a run until it is released, replaced or turned off",
        arguments: Session.all(
            """
            # A dry run says that the run would be held, checks all flags, and writes nothing
            run --guards=on --dry-run | 0
            delete from team.receipts where id > 'u130'
            run --guards=on --dry-run | 4 | Dry run: a run would be held. There are 31 receipts
            update team.entitlements set source = 'ios'
            run --guards=on --dry-run | 4
            run --guards=on --dry-run --reports=/proc/x | 73
            run --dry-run --metrics-file=/nowhere/a.prom | 78
            run --dry-run --ping-url=nothing | 78
            select count(*)::text from reconcile.run | 3

            # A run is not held when its guard or all guards are turned off, nor when it is a trial
            update team.entitlements set source = 'ios'
            run --guards=on --trial | 0 | > IMPLAUSIBLE:
            run --guards=on --guard-app-store-rows=off --guard-not-judged=100% | 0
            run --guards=off | 0

            # A released run counts, and RELEASED.json in its folder says so
            update team.products set price = price * 100
            run --guards=on | 4
            cp reports/$RUN4/manifest.json . | 0
            job release $RUN4 \(release) | 0 | Run $RUN4 is released: a price list in cents.
            job release $RUN4 \(release) | 0 | Run $RUN4 is released: a price list in cents.
            readlink reports/latest | 0 | = $RUN4
            cmp manifest.json reports/$RUN4/manifest.json | 0
            cat reports/$RUN4/RELEASED.json | 0 | > "released_by"
            run --guards=on --guard-leap=off | 0
            grep previous_run reports/latest/summary.json | 0 | > "$RUN4"
            job release $RUN4 \(release) | 64
            job release $RUN3 \(release) | 64

            # prune keeps a held run, and the next run replaces it, so that it cannot be released
            update team.entitlements set source = 'ios'
            run --guards=on | 4
            update team.entitlements set source = 'app_store'
            run --guards=on | 0
            grep previous_run reports/latest/summary.json | 0 | > "$RUN3"
            job release $RUN4 \(release) | 64 | replaced by a later run
            update team.entitlements set source = 'ios'
            run --guards=on | 4
            job prune --before=2099-01-01T00:00:00Z | 0
            job release $RUN6 \(release) | 0
            """))
    func session(session: Session) async throws {
        try await Self.afterGoodNights { scene in try await scene.play(session) }
    }

    @Test("A first run is compared with nothing, but is held when nothing is stored")
    func first() async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            try await scene.steps(
                """
                run --guards=on | 4
                select count(*)::text from reconcile.ledger | 0
                readlink reports/latest | 1
                """)
        }
    }

    /// Three runs over seventy customers, of whom every second one has expired and is still
    /// granted.
    private static func afterGoodNights(
        _ body: (StrangerScene) async throws -> Void
    ) async throws {
        let users = (100..<170).map { "u\($0)" }
        let bodies = Dictionary(
            uniqueKeysWithValues: users.enumerated().map { place, user in
                let (from, to) = place % 2 == 0 ? (-50.0, -20.0) : (-10, 20)
                let period = AppleAnswer.period("9\(place)", from: from, to: to)
                return (TestDatabase.receipt(user), AppleAnswer.verified([period]))
            })
        let answers = StrangerScene.Answers { .reply(bodies[$0] ?? AppleAnswer.status(21003)) }
        try await StrangerScene.with(answers) { scene in
            try await scene.sellForMoney()
            for user in users {
                try await scene.test.store(receipt: user, of: user, at: "2026-11-18T00:00:00Z")
                try await scene.test.store(
                    entitlement: "e-\(user)", of: user, expires: "2026-12-10T02:00:00Z")
            }
            for _ in 0..<3 {
                let job = try await scene.run("--guards=on")
                try #require(job.status == 0, "\(job.error)")
            }
            try await body(scene)
        }
    }
}

extension StrangerScene {
    func sellForMoney() async throws {
        try await insert(
            [["pro.monthly", "auto_renewable", "G", "1", nil, "1 month", "9.99", "USD"]],
            into: "products")
    }
}

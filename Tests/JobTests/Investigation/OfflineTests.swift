import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: copy a test, and write which runs there are and what their reports say, with the
/// verbs in `Tests/README.md`.
@Suite("An offline run", .hangLimit)
struct OfflineTests {
    private static let madeAt = "2026-11-16T02:00:00Z"

    /// Apple refuses the receipts that it has not signed.
    private static let customers = [
        Purchase(by: "ann", id: "1", bought: -60, expires: -30, madeAt: madeAt),
        Purchase(by: "bob", id: "2", bought: -25, expires: 5, madeAt: madeAt),
        Purchase(
            by: "cyd", id: "3", bought: -25, expires: 5, madeAt: madeAt, signed: .changedSince),
        Purchase(by: "flo", id: "6", bought: -25, expires: 5, cancelled: -5, madeAt: madeAt),
        Purchase(by: "gus", id: "7", bought: -25, expires: 5, madeAt: madeAt, signed: .otherRoot),
        Purchase(by: "hal", id: "8", bought: -25, expires: 5, madeAt: madeAt),
    ]

    private func with(_ body: (Session) async throws -> Void) async throws {
        let acts = Self.customers.reduce(into: [String: LoopbackServer.Act]()) { acts, bought in
            let periods = bought.signature == .apple ? [bought.period] : []
            acts[bought.base64] = .reply(AppleAnswer.verified(periods))
        }
        try await Session.with(acts: acts) { session in
            try session.makeRoots()
            try await session.sql("truncate team.receipts, team.entitlements")
            for bought in Self.customers {
                try await session.test.store(
                    receipt: bought.user, of: bought.user, data: .text(bought.base64))
            }
            try await session.test.store(receipt: "dan", of: "dan", data: .text("eyJh.eyJi.c2ln"))
            for user in Self.customers.map(\.user) + ["dan", "eve"] {
                try await session.test.store(
                    entitlement: "e-\(user)", of: user, isActive: user != "bob",
                    expires: "2026-11-25T02:00:00Z")
            }
            try await body(session)
            try await session.latestReports()
        }
    }

    private func night(
        _ more: String..., in session: Session
    ) async throws -> JobProcess {
        try await session.run(["--roots=roots", "--max-unverified=50%"] + more).exits()
    }

    private func says(_ file: String, _ text: String, in session: Session) -> Bool {
        session.read("reports/latest/\(file)").contains(text)
    }

    /// How often each row of a report says that it was judged offline.
    private func marks(in file: String, _ session: Session) -> [Int] {
        session.read("reports/latest/\(file).json").split(separator: "\n")
            .filter { $0.contains("\"run_id\"") }.map { $0.ranges(of: "judged offline").count }
    }

    @Test("An offline run judges by signatures alone, and says so")
    func flags() async throws {
        try await with { session in
            try await session.run("--offline", "--replay=20261120T020000Z-000001").exits(64)
                .says("--offline cannot be combined with --replay")
            try await session.run("--offline", "--roots=/nowhere").exits(78)
                .advises("Give a folder of certificates.")
            try await night("--offline", "--dry-run", in: session).says(
                """
                Dry run: 7 receipts of 8 users would be judged offline, by their own signatures, \
                and nothing would be sent. Nothing was written; leave --dry-run out
                """)
            try await night(
                "--offline", "--shared-secrets=/nowhere", "--production-url=http://a.com/",
                in: session
            ).says(", judged offline, is complete, with 4 findings.")
                .prints("OFFLINE: Judged offline").logs("This run is judged offline")
            #expect(session.apple.asks.isEmpty)
        }
    }

    @Test("Offline findings rest on signatures alone, every row says so, and the next run clears")
    func findings() async throws {
        try await with { session in
            _ = try await night("--offline", in: session)
            #expect(
                session.allReported() == [
                    "expirations": [], "refunds": [Reported("refund_recorded", of: "flo")],
                    "mismatches": [
                        Reported("active_not_granted", of: "bob"),
                        Reported("grant_without_receipt", of: "eve"),
                    ],
                    // dan's JWS has no certificates: it proves nothing, and may still be Apple's.
                    "receipts": [Reported("receipt_not_authentic", of: "cyd")], "cleared": [],
                ])
            let summary = session.report("summary")
            #expect(summary.names.contains("oldest_verified_at"))
            #expect(summary["oldest_verified_at"] == nil)
            #expect(summary["offline"] == true)
            #expect(
                summary["controls"]["receipts"] == [
                    "in_scope": 7, "verified": 4, "rejected": 1, "unusable": 0, "unverified": 2,
                ])
            #expect(
                summary["controls"]["entitlements"] == [
                    "in_scope": 8, "consistent": 1, "with_finding": 2, "settling": 0,
                    "unverified": 5, "not_judged": 0,
                ])
            #expect(session.report("manifest")["offline"] == true)
            #expect(says("index.html", "<p class=\"notice\">Judged offline", in: session))
            for file in ["refunds", "mismatches", "receipts", "unverified"] {
                #expect(marks(in: file, session).allSatisfy { $0 > 0 }, "\(file)")
            }
            try await session.sql("update team.entitlements set active = true where id = 'e-bob'")
            _ = try await night("--offline", "--as-of=2026-11-21T02:00:00Z", in: session)
            let cleared = session.reported("cleared")
            #expect(cleared == [Reported("active_not_granted", of: "bob")])
            #expect(session.reported("refunds") == [])
            #expect(marks(in: "cleared", session).allSatisfy { $0 < 2 })
            #expect(session.apple.asks.isEmpty)
        }
    }

    @Test("An offline run clears no finding of an online run; the next online run has it again")
    func online() async throws {
        let expired = [Reported("expired_still_granted", of: "ann")]
        try await with { session in
            _ = try await night(in: session)
            #expect(!says("summary.json", "offline", in: session))
            #expect(!says("expirations.json", "offline", in: session))
            #expect(session.reported("expirations") == expired)
            #expect(session.reported("cleared") == [])
            #expect(session.report("expirations").texts("lifecycle") == ["new"])
            #expect(lifecycleOfBob(session) == "new")

            _ = try await night("--offline", "--as-of=2026-11-21T02:00:00Z", in: session)
            #expect(session.report("summary")["offline"] == true)
            #expect(session.reported("expirations") == [])
            #expect(session.reported("cleared") == [])
            #expect(lifecycleOfBob(session) == "persisting")

            _ = try await night("--as-of=2026-11-22T02:00:00Z", in: session)
            #expect(!says("summary.json", "offline", in: session))
            #expect(!says("expirations.json", "offline", in: session))
            #expect(session.reported("expirations") == expired)
            let refuted = [Reported("receipt_not_authentic", of: "cyd")]
            #expect(session.reported("cleared") == refuted)
            #expect(session.report("expirations").texts("lifecycle") == ["persisting"])
            #expect(lifecycleOfBob(session) == "persisting")
            #expect(session.apple.asks.count == 12)

            try await session.sql("update team.entitlements set active = true where id = 'e-bob'")
            _ = try await night("--offline", "--as-of=2026-11-23T02:00:00Z", in: session)
            let cleared = session.reported("cleared")
            #expect(cleared.contains(Reported("active_not_granted", of: "bob")))
            #expect(marks(in: "cleared", session).allSatisfy { $0 > 0 })
        }
    }

    /// The lifecycle of the finding that `bob` is not granted what Apple shows.
    private func lifecycleOfBob(_ session: Session) -> String? {
        let lines = session.report("mismatches").items
        return lines.first { $0["kind"] == "active_not_granted" }?["lifecycle"].text
    }
}

import Testing

@testable import Reconcile
@testable import TestSupport

/// A user with missing evidence keeps findings across users open.
@Suite("Missing evidence for one user", .nights, .timeLimit(.minutes(10)))
struct DoubtTests: NightSuite {
    private static let ann = "shared_original_transaction ann"
    private static let both = "\(ann), shared_original_transaction bob"
    private static let bothPersist =
        "\(ann) persisting, shared_original_transaction bob persisting"

    enum Doubt: CaseIterable {
        case silent, malformed, jws, nullRow, anomaly
    }

    /// A doubt about bob.
    private func raise(_ doubt: Doubt) async throws {
        switch doubt {
        case .silent: silence("bob")
        case .malformed: try await store("not a receipt at all", of: "bob")
        case .jws: try await store("eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2ln", of: "bob")
        case .nullRow: try await store(nil, of: "bob")
        case .anomaly:
            let date = #""purchase_date_ms":""#
            answer("bob", AppleAnswer.running().replacing(date, with: date + "x"))
        }
    }

    @Test(
        "Missing evidence clears neither another user's shared subscription nor a product",
        arguments: Doubt.allCases)
    func keeps(doubt: Doubt) async throws {
        try await customer("ann", AppleAnswer.running(), isGranted: true)
        try await customer("bob", AppleAnswer.running(), AppleAnswer.unknown)
        try await night("active_not_granted bob new, \(Self.ann) new, unknown_product - new")
        try await raise(doubt)
        for _ in 0..<2 {
            let night = try await night()
            let told = try await night.rows() + night.cleared()
            #expect(!told.contains("shared_original_transaction"))
            #expect(!told.contains("unknown_product"))
        }
        try await store(TestDatabase.receipt("bob"), of: "bob")
        answer("bob", AppleAnswer.running(), AppleAnswer.unknown)
        #expect(
            try await night().rows().hasSuffix(
                "\(Self.ann) persisting, unknown_product - persisting"))
        answer("bob", AppleAnswer.running("2"))
        #expect(try await night().cleared().hasSuffix("\(Self.ann), unknown_product -"))
        #expect(try await ledgerStates().contains("\(Self.ann) closed"))
    }

    @Test("A finding about a user who is no longer granted anything is cleared")
    func undone() async throws {
        try await couple()
        _ = try await night()
        silence("ann")
        silence("bob")
        try await set("ann", isGranted: false)
        try await night("", cleared: Self.ann)
    }

    @Test("A finding stays open while the granted row is in flux or cannot be read")
    func inFlux() async throws {
        try await couple()
        _ = try await night()
        for column in ["at = '2027-01-01'", "at = null"] {
            try await test.execute("update team.entitlements set \(column) where who = 'ann'")
            #expect(try await night().cleared() == "")
        }
        try await test.execute("update team.entitlements set at = '2026-10-01'")
        try await night(Self.bothPersist)
    }

    @Test("Missing evidence counts only for users who had the subscription in the last run")
    func longGone() async throws {
        try await couple()
        try await customer("cyd", AppleAnswer.running())
        _ = try await night()
        _ = try await night(scope: .only("ann", "bob"))
        answer("cyd", AppleAnswer.running("3"))
        #expect(try await night().cleared() == "")
        silence("cyd")
        answer("bob", AppleAnswer.running("2"))
        try await night("", cleared: Self.both)
    }

    @Test(
        "Missing evidence for the finding's own user is ignored, since the others' answers decide")
    func own() async throws {
        try await couple()
        try await test.store(receipt: "silent", of: "ann")
        _ = try await night()
        answer("bob", AppleAnswer.running("2"))
        try await night("", cleared: Self.both)
    }
}

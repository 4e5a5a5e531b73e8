import Testing

@testable import Reconcile
@testable import TestSupport

/// The stories are in files by their subject; a new one goes to those that it resembles.
@Suite("Findings over several nightly runs", .database, .hangLimit)
struct NightStoryTests: DatabaseSuite {
    @Test(
        "Each night reports and clears what it must, and leaves the history that it must",
        arguments: lifecycles + sharing + refunds)
    func history(story: NightStory) async throws { try await nights.spend(story.nights) }

    /// Why nothing is known of Bob's receipt, and the finding that says so, if any.
    struct Doubt: Sendable {
        let change: StoryChange
        var kind: FindingKind?
    }

    @Test(
        "Missing evidence clears neither another user's shared subscription nor a product",
        arguments: [
            Doubt(change: .of("bob", .silent)),
            Doubt(change: .of("bob", .undated()), kind: .parseAnomaly),
            Doubt(change: .sql("update team.receipts set data = null where who = 'bob'")),
            Doubt(
                change: .sql("update team.receipts set data = 'no receipt' where who = 'bob'"),
                kind: .receiptMalformed),
            Doubt(
                change: .sql("update team.receipts set data = 'eyJh.eyJi.c2ln' where who = 'bob'"),
                kind: .receiptIsJWS),
        ])
    func doubt(doubt: Doubt) async throws {
        let kinds = [doubt.kind].compactMap(\.self)
        try await nights.spend(
            StoryNight(
                .of("ann", .running(), .granted), .of("bob", .shows(.running("1"), .unknown("9"))),
                reports: [
                    .new(.activeNotGranted, "bob"), .new(.sharedOriginalTransaction, "ann"),
                    .new(.unknownProduct, "-"),
                ]),
            StoryNight(doubt.change, reports: kinds.map { .new($0, "bob") }),
            StoryNight(reports: kinds.map { .persisting($0, "bob") }),
            StoryNight(
                .of("bob", .shows(.running("1"), .unknown("9")), .copy(of: "bob")),
                reports: [
                    .persisting(.activeNotGranted, "bob"),
                    .persisting(.sharedOriginalTransaction, "ann"),
                    .persisting(.unknownProduct, "-"),
                ], clears: kinds.map { .of($0, "bob") }),
            StoryNight(
                .of("bob", .running("2")), reports: [.persisting(.activeNotGranted, "bob")],
                clears: [.of(.sharedOriginalTransaction, "ann"), .of(.unknownProduct, "-")]))
    }
}

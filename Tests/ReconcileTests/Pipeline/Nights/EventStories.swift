@testable import Reconcile

/// Refunds and expiries, which are reported once.
extension NightStoryTests {
    static let refunds: [NightStory] = [
        NightStory(
            "A reversed refund is reported as owed, and once restored it is reported once",
            StoryNight(
                .of("ann", .refunded("2"), .revoked), reports: [.new(.refundRecorded, "ann")]),
            StoryNight(
                .of("ann", .running("2")), reports: [.new(.refundReversedNotRestored, "ann")]),
            StoryNight(
                .of("ann", .granted),
                reports: [.new(.expiryMissing, "ann"), .new(.refundReversed, "ann")],
                clears: [.of(.refundReversedNotRestored, "ann")]),
            StoryNight(reports: [.persisting(.expiryMissing, "ann")])),
        NightStory(
            "An event is not reported again when the run that reported it was pruned",
            StoryNight(.of("ann", .ended()), reports: [.new(.expired, "ann")]),
            StoryNight(),
            StoryNight(.prune(before: 2, runs: 1))),
        NightStory(
            "An expiry is reported once a user when the receipt moves to another user",
            StoryNight(.of("ann", .ended()), reports: [.new(.expired, "ann")]),
            StoryNight(),
            StoryNight(
                .sql("update team.receipts set who = 'bob'"), reports: [.new(.expired, "bob")]),
            StoryNight(),
            StoryNight(.sql("update team.receipts set who = 'ann'"))),
        NightStory(
            "An expiry is reported to each of two users, with or without a granted row",
            StoryNight(
                .of("ann", .ended(), .granted), .of("bob", .ended(), .revoked),
                reports: [
                    .new(.expired, "bob"), .new(.expiredStillGranted, "ann"),
                    .new(.sharedOriginalTransaction, "ann"),
                ])),
        NightStory(
            "For another user the purchase is owed as usual, since refunds are kept by user",
            StoryNight(.of("ann", .refunded("2")), reports: [.new(.refundRecorded, "ann")]),
            StoryNight(
                .sql("update team.receipts set who = 'bob'"), .of("ann", .running("2")),
                reports: [.new(.activeNotGranted, "bob")]),
            StoryNight(.of("bob", .granted), clears: [.of(.activeNotGranted, "bob")])),
        NightStory(
            "A refund that moved to another user is not reported again, and can be reversed there",
            StoryNight(.of("ann", .refunded("2")), reports: [.new(.refundRecorded, "ann")]),
            StoryNight(
                .sql("update team.receipts set who = 'bob'"),
                leaves: [
                    .rows(.event, .refundRecorded, "ann"),
                    .rows(.remembered, .refundRecorded, "bob"),
                ]),
            StoryNight(
                .of("ann", .running("2")), reports: [.new(.refundReversedNotRestored, "bob")])),
        NightStory(
            "A run with an earlier as_of takes no refund for reversed",
            StoryNight(
                .of("ann", .refunded("2")), .of("bob", .refunded("3"), .granted),
                reports: [.new(.refundRecorded, "ann", "bob"), .new(.refundedStillGranted, "bob")]),
            StoryNight(
                .day(-7), reports: [.new(.activeNotGranted, "ann")],
                clears: [.of(.refundedStillGranted, "bob")]),
            StoryNight(
                .day(0.5), reports: [.reopened(.refundedStillGranted, "bob")],
                clears: [.of(.activeNotGranted, "ann")])),
        NightStory(
            """
            A refund is reported once though the purchase gets another id, and its \
            reversal is owed
            """,
            StoryNight(
                .of("ann", .month("10", order: "77", isRefunded: true)),
                .of("bob", .month("10", order: "77", isRefunded: true)),
                .of("cyd", .month("10", order: "77", isRefunded: true)),
                .of("dan", .month("10", order: "77", isRefunded: true)),
                .of("eve", .unlock("10", isRefunded: true)),
                .of("fay", .unlock("10", isRefunded: true)),
                reports: [.new(.refundRecorded, "ann", "bob", "cyd", "dan", "eve", "fay")]),
            StoryNight(
                .of("ann", .month("20", order: "77", isRefunded: true)),
                .of("bob", .month("5", order: "77", isRefunded: true)),
                .of("cyd", .month("20", order: "78", isRefunded: true)),
                .of("dan", .month("20", order: "77")), .of("eve", .unlock("20", isRefunded: true)),
                .of("fay", .unlock("20")),
                reports: [
                    .new(.refundRecorded, "cyd"), .new(.refundReversedNotRestored, "dan", "fay"),
                ])),
        NightStory(
            "A refund beyond the horizon counts as reported, so a longer horizon causes no flood",
            StoryNight(
                .of("ann", .old("2", isRefunded: true)),
                leaves: [.rows(.remembered, .refundRecorded, "ann")]),
            StoryNight(.horizon(days: 365)),
            StoryNight(.of("ann", .old("2")))),
    ]
}

@testable import Reconcile

/// A finding from its first night to its last.
extension NightStoryTests {
    static let lifecycles: [NightStory] = [
        NightStory(
            """
            A finding persists, also unseen, is cleared once its row grants nothing, \
            and is reopened
            """,
            StoryNight(
                .of("ann", .ended(), .granted), reports: [.new(.expiredStillGranted, "ann")],
                leaves: [
                    .rows(.remembered, .expired, "ann"), .rows(.open, .expiredStillGranted, "ann"),
                ]),
            StoryNight(reports: [.persisting(.expiredStillGranted, "ann")]),
            StoryNight(.of("ann", .silent)),
            StoryNight(),
            StoryNight(.of("ann", .ended()), reports: [.persisting(.expiredStillGranted, "ann")]),
            StoryNight(.of("ann", .silent)),
            StoryNight(.of("ann", .revoked), clears: [.of(.expiredStillGranted, "ann")]),
            StoryNight(.of("ann", .ended())),
            StoryNight(.of("ann", .granted), reports: [.reopened(.expiredStillGranted, "ann")]),
            StoryNight(reports: [.persisting(.expiredStillGranted, "ann")]),
            StoryNight(.of("ann", .silent)),
            StoryNight(.of("ann", .revoked, .ended()), clears: [.of(.expiredStillGranted, "ann")])),
        NightStory(
            "Failed, unfinished and partial runs leave no history",
            StoryNight(
                .failed, .of("ann", .ended(), .granted), .of("bob", .refunded("2")),
                reports: [.new(.expiredStillGranted, "ann"), .new(.refundRecorded, "bob")]),
            StoryNight(
                .unfinished,
                reports: [.new(.expiredStillGranted, "ann"), .new(.refundRecorded, "bob")]),
            StoryNight(
                reports: [.new(.expiredStillGranted, "ann"), .new(.refundRecorded, "bob")],
                leaves: [
                    .rows(.remembered, .expired, "ann"), .rows(.open, .expiredStillGranted, "ann"),
                    .rows(.event, .refundRecorded, "bob"),
                ]),
            StoryNight(
                .only("ann"), .of("ann", .revoked), clears: [.of(.expiredStillGranted, "ann")]),
            StoryNight(.of("ann", .granted), reports: [.persisting(.expiredStillGranted, "ann")])),
        NightStory(
            "Findings of a user without stored rows are cleared",
            StoryNight(
                .of("ann", .ended(), .granted), .of("bob", .refunded("2")),
                reports: [.new(.expiredStillGranted, "ann"), .new(.refundRecorded, "bob")]),
            StoryNight(
                .sql("delete from team.receipts"), .sql("delete from team.entitlements"),
                clears: [.of(.expiredStillGranted, "ann")]),
            StoryNight()),
        NightStory(
            "The last report of a finding that an outage keeps open stays, and can be cleared",
            StoryNight(
                .of("ann", .ended(), .granted), reports: [.new(.expiredStillGranted, "ann")]),
            StoryNight(.of("ann", .silent)),
            StoryNight(),
            StoryNight(
                .prune(before: 3, runs: 2), .of("ann", .revoked),
                clears: [.of(.expiredStillGranted, "ann")])),
        NightStory(
            "An unknown product can be accepted, and is cleared by the catalogue, not by an outage",
            StoryNight(
                .of("ann", .unknown("9")), .of("bob", .running(), .granted),
                reports: [.new(.unknownProduct, "-")]),
            StoryNight(.of("ann", .silent)),
            StoryNight(.of("ann", .unknown("9")), reports: [.persisting(.unknownProduct, "-")]),
            StoryNight(.accept(.unknownProduct), reports: [.accepted(.unknownProduct, "-")]),
            StoryNight(
                .of("bob", .silent),
                .sql("insert into team.products (id, kind) values ('x.monthly', 'auto_renewable')"),
                reports: [.new(.activeNotGranted, "ann")], clears: [.of(.unknownProduct, "-")])),
        NightStory(
            """
            A replay takes the lifecycle from the replayed run, and for one user \
            that user's findings
            """,
            StoryNight(
                .of("ann", .running(), .revoked), .of("bob", .running(), .revoked),
                .of("eve", .unknown("9")), .of("fay", .refunded("4")),
                reports: [
                    .new(.activeNotGranted, "ann", "bob"), .new(.refundRecorded, "fay"),
                    .new(.unknownProduct, "-"),
                ]),
            StoryNight(
                .of("ann", .granted), .of("bob", .running("2"), .granted),
                .of("eve", .running("3")),
                reports: [.new(.activeNotGranted, "eve"), .new(.expiryMissing, "ann", "bob")],
                clears: [.of(.activeNotGranted, "ann", "bob"), .of(.unknownProduct, "-")]),
            StoryNight(
                .replay(2),
                reports: [.new(.activeNotGranted, "eve"), .new(.expiryMissing, "ann", "bob")],
                clears: [.of(.activeNotGranted, "ann", "bob"), .of(.unknownProduct, "-")]),
            StoryNight(
                .replay(2), .only("bob"), reports: [.new(.expiryMissing, "bob")],
                clears: [.of(.activeNotGranted, "bob")]),
            StoryNight(reports: [
                .persisting(.activeNotGranted, "eve"), .persisting(.expiryMissing, "ann", "bob"),
            ]),
            StoryNight(
                .replay(5),
                reports: [
                    .persisting(.activeNotGranted, "eve"),
                    .persisting(.expiryMissing, "ann", "bob"),
                ]),
            StoryNight(
                .replay(1),
                reports: [
                    .new(.expiryMissing, "ann", "bob"), .new(.refundRecorded, "fay"),
                    .new(.sharedOriginalTransaction, "ann", "bob"), .new(.unknownProduct, "-"),
                ])),
    ]
}

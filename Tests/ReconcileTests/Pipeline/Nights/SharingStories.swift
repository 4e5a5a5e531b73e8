@testable import Reconcile

/// Findings about a purchase or a receipt of several users.
extension NightStoryTests {
    static let sharing: [NightStory] = [
        NightStory(
            "A shared subscription persists, stays open without an answer, and is cleared",
            StoryNight(
                .of("ann", .running(), .granted), .of("bob", .running(), .granted),
                reports: [.new(.sharedOriginalTransaction, "ann", "bob")]),
            StoryNight(reports: [.persisting(.sharedOriginalTransaction, "ann", "bob")]),
            StoryNight(.of("bob", .silent)),
            StoryNight(leaves: [.rows(.open, .sharedOriginalTransaction, "ann", "bob")]),
            StoryNight(
                .of("bob", .running()),
                reports: [.persisting(.sharedOriginalTransaction, "ann", "bob")]),
            StoryNight(
                .of("bob", .running("2")), clears: [.of(.sharedOriginalTransaction, "ann", "bob")],
                leaves: [.rows(.closed, .sharedOriginalTransaction, "ann", "bob")]),
            StoryNight(
                .of("bob", .running()),
                reports: [.reopened(.sharedOriginalTransaction, "ann", "bob")])),
        NightStory(
            "A partial run neither clears nor remembers findings over several users",
            StoryNight(
                .of("ann", .running(), .granted), .of("bob", .running(), .granted),
                .of("eve", .unknown("9")),
                reports: [
                    .new(.sharedOriginalTransaction, "ann", "bob"), .new(.unknownProduct, "-"),
                ]),
            StoryNight(.only("bob"))),
        NightStory(
            "A shared receipt of a paid app stays open without an answer, and is cleared with one",
            StoryNight(
                .sql("insert into team.products (id, kind) values ('full', 'non_consumable')"),
                .sql(
                    """
                    insert into team.apps (bundle, paid, premium) values ('acme', '4.10', 'full')
                    """),
                .of("ann", .version("4.2"), .granted),
                .of("bob", .version("4.2"), .granted, .copy(of: "ann")),
                .sql(
                    """
                    update team.entitlements
                    set product = 'full', expires = null, source = 'legacy_paid'
                    """), reports: [.new(.sharedReceipt, "ann", "bob")]),
            StoryNight(.of("ann", .silent)),
            StoryNight(
                .of("ann", .version("4.2")), reports: [.persisting(.sharedReceipt, "ann", "bob")]),
            StoryNight(.of("bob", .copy(of: "bob")), clears: [.of(.sharedReceipt, "ann", "bob")])),
        NightStory(
            "A finding about a user who is no longer granted anything is cleared",
            StoryNight(
                .of("ann", .running(), .granted), .of("bob", .running(), .granted),
                reports: [.new(.sharedOriginalTransaction, "ann", "bob")]),
            StoryNight(
                .of("ann", .silent, .revoked), .of("bob", .silent),
                clears: [.of(.sharedOriginalTransaction, "ann")])),
        NightStory(
            "A finding stays open while the granted row is in flux or cannot be read",
            StoryNight(
                .of("ann", .running(), .granted), .of("bob", .running(), .granted),
                reports: [.new(.sharedOriginalTransaction, "ann", "bob")]),
            StoryNight(
                .sql("update team.entitlements set at = '2027-01-01' where who = 'ann'"),
                reports: [.persisting(.sharedOriginalTransaction, "bob")]),
            StoryNight(
                .sql("update team.entitlements set at = null where who = 'ann'"),
                reports: [.persisting(.sharedOriginalTransaction, "bob")]),
            StoryNight(
                .sql("update team.entitlements set at = '2026-10-01'"),
                reports: [.persisting(.sharedOriginalTransaction, "ann", "bob")])),
        NightStory(
            "Missing evidence counts only for users who had the subscription in the last run",
            StoryNight(
                .of("ann", .running(), .granted), .of("bob", .running(), .granted),
                .of("cyd", .running()),
                reports: [
                    .new(.activeNotGranted, "cyd"), .new(.sharedOriginalTransaction, "ann", "bob"),
                ]),
            StoryNight(
                .only("ann", "bob"),
                reports: [.persisting(.sharedOriginalTransaction, "ann", "bob")]),
            StoryNight(
                .of("cyd", .running("3")),
                reports: [
                    .persisting(.activeNotGranted, "cyd"),
                    .persisting(.sharedOriginalTransaction, "ann", "bob"),
                ]),
            StoryNight(
                .of("cyd", .silent), .of("bob", .running("2")),
                clears: [.of(.sharedOriginalTransaction, "ann", "bob")])),
        NightStory(
            """
            Missing evidence for the finding's own user is ignored, since the others' \
            answers decide
            """,
            StoryNight(
                .of("ann", .running(), .granted), .of("bob", .running(), .granted),
                .of("ann", .receipt("silent")),
                reports: [.new(.sharedOriginalTransaction, "ann", "bob")]),
            StoryNight(
                .of("bob", .running("2")),
                clears: [.of(.sharedOriginalTransaction, "ann", "bob")])),
        NightStory(
            "A shared purchase stays open though the run that showed it last was pruned",
            StoryNight(
                .of("ann", .running(), .granted), .of("bob", .running()),
                reports: [.new(.activeNotGranted, "bob"), .new(.sharedOriginalTransaction, "ann")]),
            StoryNight(.of("bob", .silent)),
            StoryNight(.prune(before: 2, runs: 1))),
    ]
}

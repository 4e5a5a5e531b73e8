/// The rows of values that are in the summary as a whole.
extension Summary.EventDay {
    var rows: [SummaryOutline.Row] {
        [
            .init("day", .text(day.dayText)), .init("refunds", .count(refunds)),
            .init("expirations", .count(expirations)),
        ]
    }
}

extension Summary.EarlierRun {
    var rows: [SummaryOutline.Row] {
        [
            .init("run_id", .text(run.text)), .init("as_of", .instant(asOf)),
            .init("status", .text(status.rawValue)), .init("findings", .count(findings)),
            .init("events", .count(events)), .init("money", .money(money)),
        ]
    }
}

extension ViewCounts {
    var rows: [SummaryOutline.Row] {
        [
            .init("users", .count(users)), .init("receipts", .count(receipts)),
            .init("entitlements", .count(entitlements)),
        ]
    }
}

extension RetirementNotice {
    var rows: [SummaryOutline.Row] {
        [
            .init("deprecation", .text(deprecation)), .init("sunset", .text(sunset)),
            .init("deprecated_at", .instant(deprecatedAt)), .init("ends_at", .instant(endsAt)),
        ]
    }
}

extension AcceptedFinding {
    var rows: [SummaryOutline.Row] {
        [
            .init("finding_id", .text(id)), .init("kind", .text(kind?.rawValue)),
            .init("user_id", .text(user?.text)), .init("by", .text(by)), .init("why", .text(why)),
            .init("until", .instant(until)),
        ]
    }
}

extension Run {
    /// Kinds of findings that need all users to be compared.
    var kindsNotLookedFor: [FindingKind] {
        scope.isEverything ? [] : FactRules.onlyOverEverything
    }
}

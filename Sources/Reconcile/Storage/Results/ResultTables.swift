/// The tables to which a flush copies its users, each with the list of its columns.
enum ResultTables {
    static let userResults = CopyTable<(batch: Batch, user: Reference<JudgedUser>)>(
        "user_result", of: .number,
        [
            .int("batch_no") { $0.batch.number },
            .int("receipts_in_scope") { $0.user.value.receipts.inScope },
            .int("receipts_verified") { $0.user.value.receipts[.verified] },
            .rareInt("receipts_rejected") { $0.user.value.receipts[.rejected] },
            .rareInt("receipts_unusable") { $0.user.value.receipts[.unusable] },
            .rareInt("receipts_unverified") { $0.user.value.receipts[.unverified] },
            .int("entitlements_in_scope") { $0.user.value.entitlements.inScope },
            .int("entitlements_consistent") { $0.user.value.entitlements[.consistent] },
            .rareInt("entitlements_with_finding") { $0.user.value.entitlements[.withFinding] },
            .rareInt("entitlements_settling") { $0.user.value.entitlements[.settling] },
            .rareInt("entitlements_unverified") { $0.user.value.entitlements[.unverified] },
            .rareInt("entitlements_not_judged") { $0.user.value.entitlements[.notJudged] },
            .timestamp("oldest_verified_at") { $0.user.value.oldestVerifiedAt },
            .rareInt("sources_agree") { $0.user.value.sourceAgreement.agree },
            .rareInt("sources_differ") { $0.user.value.sourceAgreement.differ },
            .rareInt("statuses_agree") { $0.user.value.statusAgreement.agree },
            .rareInt("statuses_differ") { $0.user.value.statusAgreement.differing.count },
            .id("user_id") { $0.user.value.user },
        ])

    static let secondLook = CopyTable<(batch: Batch, user: RefusedUser)>(
        "second_look",
        [
            .int("put_off_by") { $0.batch.number },
            .id("user_id") { $0.user.user },
            .texts("refused_receipts") { $0.user.refusals.sorted().map(\.receipt.text) },
            .texts("refused_by") { $0.user.refusals.sorted().map(\.server.rawValue) },
        ])

    static let requestCounts = CopyTable("request_count", RequestCount.columns)

    static let outcomes = CopyTable<Outcome>(
        "outcome", of: .number,
        [
            .id("receipt_id") { $0.receipt },
            .id("user_id") { $0.user },
            .id("bundle_id") { $0.bundle },
            .text("outcome") { $0.validation.outcome },
            .text("cause") { $0.validation.cause },
            .int("attempts") { $0.attempts.count },
            .bigint("last_status") { $0.attempts.lastStatus },
            .int("last_http_status") { $0.attempts.lastHTTPStatus },
            .text("detail") { $0.attempts.detail },
            .word("server") { $0.attempts.server },
            .word("source") { $0.attempts.server == nil ? $0.source : nil },
            .timestamp("answered_at") { $0.attempts.answeredAt },
            .int("entitlements_affected") { $0.entitlementsAffected },
        ])

    static let evidence = CopyTable<(user: UserID?, answer: KeptAnswer)>(
        "evidence",
        [
            .bytea("request_sha256") { $0.answer.request },
            .id("receipt_id") { $0.answer.receipt },
            .id("user_id") { $0.user },
            .text("outcome") { $0.answer.conclusion.outcome },
            .text("cause") { $0.answer.conclusion.cause },
            .int("attempts") { $0.answer.attempts.count },
            .bigint("last_status") { $0.answer.attempts.lastStatus },
            .int("last_http_status") { $0.answer.attempts.lastHTTPStatus },
            .text("detail") { $0.answer.attempts.detail },
            .timestamp("answered_at") { $0.answer.attempts.answeredAt },
            .word("server") { $0.answer.body?.server },
            .bytea("body_sha256") { $0.answer.bodyDigest },
            .bytea("body") { $0.answer.body?.bytes },
        ])

    static let judgedUsers = CopyTable<(user: UserID, record: JudgedRecord)>(
        "judged_user", of: .number,
        [
            .bigint("digest") { Int($0.record.digest) },
            .id("user_id") { $0.user },
            .jsonb("transactions") { $0.record.transactions },
            .bytea("record") { $0.record.json },
        ])

    static let notReported = CopyTable<(user: UserID?, row: NotReported)>(
        "not_reported",
        [
            .id("user_id") { $0.user },
            .id("entitlement_id") { $0.row.entitlement },
            .word("bucket") { $0.row.bucket },
            .word("kind") { $0.row.kind },
            .word("cause") { $0.row.cause },
        ])

    static let unjudgedFindings = CopyTable<String>(
        "unjudged_finding", [.text("finding_id") { $0 }])

    static let rememberedEvents = CopyTable<Finding>(
        "remembered_event",
        [
            .text("finding_id") { $0.identity.id },
            .timestamp("event_at") { $0.eventAt },
            .word("kind") { $0.kind },
            .id("user_id") { $0.user },
            .text("reference") { $0.reference },
        ])
}

extension RequestCount {
    /// The columns of `request_count`, except the run's.
    static let columns: [TypedColumn<RequestCount>] = [
        .int("requests") { $0.requests },
        .int("retries") { $0.retries },
        .int("http_status") { $0.httpStatus },
        .bigint("status") { $0.status },
        .word("server") { $0.server },
    ]
}

extension KeptAnswer.Conclusion {
    fileprivate var outcome: String {
        switch self {
        case .verified: "verified"
        case .rejected: "rejected"
        case .unverified: "unverified"
        }
    }

    fileprivate var cause: String? {
        switch self {
        case .verified: nil
        case .rejected(let cause): cause.rawValue
        case .unverified(let cause): cause.rawValue
        }
    }
}

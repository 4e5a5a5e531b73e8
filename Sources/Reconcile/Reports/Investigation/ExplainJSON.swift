package enum ExplainJSON {
    package static func bytes(_ file: CustomerFile) -> [UInt8] {
        PrintedJSON.object([
            ("run_id", .string(file.run.run.id.text)), ("state", .string(file.run.listedState)),
            ("as_of", .string(file.run.run.asOf.description)),
            ("user_id", PrintedJSON(file.user?.text)),
            ("is_judged", .boolean(file.isJudged)),
            (
                "rights",
                file.rights.map {
                    .array($0.map { $0.json(asOf: file.run.run.asOf, file.findings, file) })
                } ?? .null
            ),
            ("findings", .array(file.findings.map(\.json))),
            ("timeline", .array(ExplainTimeline(file).lines.map(\.json))),
            ("receipts", .array(file.receipts.map(\.json))),
            ("answers", .array(file.answers.map(\.json))),
            ("live", file.live.map { $0.json(since: file) } ?? .null),
        ]).bytes
    }
}

extension CustomerFile.Live {
    fileprivate func json(since file: CustomerFile) -> PrintedJSON {
        .object([
            ("asked_at", .string(at.description)),
            ("rights", .array(rights.map { $0.json(asOf: at, findings, file) })),
            ("findings", .array(findings.map(\.json))),
            ("receipts", .array(receipts.map(\.json))),
            (
                "changes",
                .array(
                    ExplainLive(self, since: file).changes.map { change in
                        .object([
                            ("subject", .string(change.subject)),
                            ("before", PrintedJSON(change.before)),
                            ("now", PrintedJSON(change.now)),
                            ("sentence", PrintedJSON(change.sentence)),
                        ])
                    })
            ),
        ])
    }
}

extension JudgedRight {
    fileprivate func json(
        asOf: Instant, _ findings: [ReportedFinding], _ file: CustomerFile
    ) -> PrintedJSON {
        .object([
            ("right", .string(right)), ("outcome", .string(outcome.rawValue)),
            ("kind", PrintedJSON(kind?.rawValue)), ("cause", PrintedJSON(cause?.rawValue)),
            ("rule", PrintedJSON(kind?.ruleInWords?.when)),
            ("sentence", .string(sentence(asOf: asOf, among: findings))),
            ("is_granted", .boolean(isGranted(asOf: asOf))), ("stored", row?.json ?? .null),
            ("apple", apple.map { $0.json(from: file.source(of: $0)) } ?? .null),
            ("other_purchases", .integer(others)), ("paid_app", PrintedJSON(paidApp)),
        ])
    }
}

extension StoredEntitlement {
    fileprivate var json: PrintedJSON {
        .object([
            ("entitlement_id", .string(id.text)), ("product_id", .string(product.text)),
            ("source", .string(source.name)), ("is_active", .boolean(isActive)),
            ("expires_at", PrintedJSON(expiresAt?.description)),
            ("original_transaction_id", PrintedJSON(originalTransaction?.text)),
            ("auto_renew", autoRenew.map(PrintedJSON.boolean) ?? .null),
            ("ownership", PrintedJSON(ownership?.rawValue)),
            ("updated_at", .string(updatedAt.description)),
        ])
    }
}

extension AppleSide {
    fileprivate func json(from source: AnswerSource?) -> PrintedJSON {
        .object([
            ("state", .string(state.rawValue)), ("product_id", .string(product.text)),
            ("transaction_id", .string(transaction.text)),
            ("original_transaction_id", .string(originalTransaction.text)),
            ("purchased_at", .string(purchasedAt.description)),
            ("ends_at", PrintedJSON(endsAt?.description)),
            ("grace_period_expires_at", PrintedJSON(gracePeriodExpiresAt?.description)),
            ("will_renew", willRenew.map(PrintedJSON.boolean) ?? .null),
            ("ownership", PrintedJSON(ownership?.rawValue)), ("is_trial", .boolean(isTrial)),
            ("reason", PrintedJSON(reason)), ("receipt_id", .string(receipt.text)),
            ("bundle_id", .string(bundle.text)), ("environment", .string(environment.rawValue)),
            ("source", PrintedJSON(source?.rawValue)),
        ])
    }
}

extension ReportedFinding {
    fileprivate var json: PrintedJSON {
        .object([
            ("finding_id", .string(id)), ("kind", .string(finding.kind.rawValue)),
            ("severity", .string(finding.severity.rawValue)),
            ("direction", .string(finding.direction.rawValue)),
            ("lifecycle", .string(lifecycle.rawValue)),
            ("first_seen", .string(firstSeen.description)),
            ("entitlement_id", PrintedJSON(finding.entitlement?.text)),
            ("explanation", .string(finding.explanation)),
            ("proposed_action", .string(finding.proposedAction.rawValue)),
            ("goes_away_when", .string(finding.remedy)),
            ("evidence_sha256", PrintedJSON(finding.evidenceSHA256)),
            ("source", PrintedJSON(finding.source?.rawValue)),
        ])
    }
}

extension ExplainTimeline.Line {
    fileprivate var json: PrintedJSON {
        .object([
            ("at", .string(at.description)), ("what", .string(what)),
            ("transaction_id", PrintedJSON(transaction?.text)),
            ("evidence_sha256", PrintedJSON(digest)),
            ("source", PrintedJSON(source?.rawValue)),
        ])
    }
}

extension CustomerFile.ShownAnswer {
    fileprivate var json: PrintedJSON {
        .object([
            ("evidence_sha256", .string(digest)), ("source", .string(server.source.rawValue)),
            ("receipt_id", PrintedJSON(receipt?.text)),
            ("environment", .string(server.environment.rawValue)),
            ("answered_at", PrintedJSON(answeredAt?.description)), ("run_id", .string(run.text)),
        ])
    }
}

extension CustomerFile.CheckedReceipt {
    fileprivate var json: PrintedJSON {
        .object([
            ("receipt_id", .string(id.text)), ("bundle_id", PrintedJSON(bundle?.text)),
            ("outcome", PrintedJSON(outcome)), ("cause", PrintedJSON(cause)),
            ("source", PrintedJSON(source?.rawValue)),
            ("environment", PrintedJSON(server?.environment.rawValue)),
            ("answered_at", PrintedJSON(answeredAt?.description)),
            ("last_status", lastStatus.map(PrintedJSON.integer) ?? .null),
            ("detail", PrintedJSON(detail)),
        ])
    }
}

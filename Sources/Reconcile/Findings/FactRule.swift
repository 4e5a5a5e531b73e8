/// A rule about a positive fact about a user, independent of rows and of missing evidence.
struct FactRule: Sendable {
    /// What a finding is read from. It must be read again before the finding can be cleared.
    enum Basis: Sendable {
        case storedText
        case outcome
        case transactions
    }

    let kind: FindingKind
    let basis: Basis
    let findings: @Sendable (UserCase) -> [Finding]

    init(
        _ kind: FindingKind, from basis: Basis = .outcome,
        _ findings: @escaping @Sendable (UserCase) -> [Finding]
    ) {
        self.kind = kind
        self.basis = basis
        self.findings = findings
    }

    /// When a fact about a receipt has the kind's `weight`; otherwise `lesserWeight`.
    enum MoreSevere {
        case always
        case whereAnythingIsGranted
        case whereAGrantDependsOnIt
    }

    /// A rule with at most one finding per stored receipt: none where `sentence` is nil.
    /// - Parameter source: whose answer it is read from; nil: that of the receipt's outcome.
    static func ofReceipts(
        _ kind: FindingKind, from basis: Basis = .outcome, of source: AnswerSource? = nil,
        moreSevere condition: MoreSevere = .always,
        _ sentence: @escaping @Sendable (ReceiptEvidence, UserCase) -> String?
    ) -> FactRule {
        FactRule(kind, from: basis) { user in
            user.evidence.receipts.compactMap { receipt in
                sentence(receipt, user).map { explanation -> Finding in
                    var finding = Finding(
                        kind, weight: user.weight(of: kind, moreSevere: condition), on: receipt,
                        of: user, explanation: explanation)
                    if let source, let answer = receipt.answer(of: source) {
                        finding.source = source
                        finding.question = answer.question
                    }
                    return finding
                }
            }
        }
    }
}

extension Finding {
    fileprivate init(
        _ kind: FindingKind, weight: FindingKind.Weight, on evidence: ReceiptEvidence,
        of user: UserCase, explanation: String
    ) {
        self.init(
            kind: kind, weight: weight, user: user.evidence.user,
            explanation: explanation, reference: evidence.id.text)
        receipt = evidence.id
        source = evidence.source
        question = evidence.question
        bundle = evidence.bundle
        switch evidence.validation {
        case .verified(let receipt):
            bundle = receipt.bundle
            environment = receipt.environment
        case .rejected(let why): reason = why.rawValue
        case .unusable(let why): reason = why.rawValue
        case .unverified: break
        }
    }
}

extension UserCase {
    fileprivate func weight(
        of kind: FindingKind, moreSevere condition: FactRule.MoreSevere
    ) -> FindingKind.Weight {
        let isMoreSevere =
            switch condition {
            case .always: true
            case .whereAnythingIsGranted: evidence.entitlements.contains(where: isGranted)
            case .whereAGrantDependsOnIt: hasGrantWithoutProof
            }
        return isMoreSevere ? kind.weight : kind.lesserWeight ?? kind.weight
    }

    /// Whether a granted `app_store` row may rest on a bad receipt alone.
    private var hasGrantWithoutProof: Bool {
        evidence.entitlements.contains { row in
            guard row.source == .appStore, isGranted(row) else { return false }
            let rowCase = RowCase(row, of: self)
            return !rowCase.isEntitled && !rowCase.isPaidForGood
        }
    }
}

extension ReceiptEvidence {
    var named: String { "receipt \(id), stored \(storedAt) for \(bundle)," }
}

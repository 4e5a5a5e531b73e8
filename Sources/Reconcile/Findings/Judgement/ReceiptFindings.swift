/// What is wrong with a stored receipt itself: the rows of the file `receipts` (SPEC §5).
extension Account {
    func receiptFindings() -> [Finding] { evidence.receipts.flatMap { findings(on: $0) } }

    private func findings(on receipt: ReceiptEvidence) -> [Finding] {
        switch receipt.validation {
        case .verified(let answer): findings(on: receipt, in: answer)
        case .rejected(.notAuthentic), .rejected(.signature):
            [
                finding(
                    .receiptNotAuthentic, on: receipt,
                    graver: (.critical, .leak), milder: (.medium, .none))
            ]
        case .rejected(.accountGone): [finding(.receiptAccountGone, on: receipt)]
        case .unusable(.empty), .unusable(.notAReceipt):
            [
                finding(
                    .receiptMalformed, on: receipt, graver: (.high, .none), milder: (.low, .none))
            ]
        case .unusable(.jws): [finding(.receiptIsJWS, on: receipt)]
        case .unusable(.xcode): [finding(.receiptFromXcode, on: receipt)]
        case .unusable(.storedRowInvalid), .unverified: []
        }
    }

    /// What is odd about an answer; each at most once a receipt.
    private func findings(on receipt: ReceiptEvidence, in answer: Receipt) -> [Finding] {
        var findings: [Finding] = []
        if answer.bundle != receipt.bundle {
            findings.append(
                finding(
                    .receiptForOtherApp, on: receipt,
                    graver: (.critical, .leak), milder: (.medium, .none)))
        } else if answer.environment == .production, implausibleDates(in: answer) != nil {
            findings.append(finding(.implausibleDates, on: receipt))
        }
        if !answer.anomalies.isEmpty { findings.append(finding(.parseAnomaly, on: receipt)) }
        return findings
    }

    /// - Parameters:
    ///   - graver: if the user has a granted row, where the table makes that difference.
    ///   - milder: if not.
    private func finding(
        _ kind: FindingKind, on evidence: ReceiptEvidence,
        graver: (Severity, Direction)? = nil, milder: (Severity, Direction)? = nil
    ) -> Finding {
        let weight = hasGrantedRow ? graver : milder
        var finding = Finding(
            kind: kind, severity: kind.severity ?? weight?.0 ?? .medium,
            direction: kind.direction ?? weight?.1 ?? .none, user: self.evidence.user,
            explanation: explanation(kind, of: evidence), reference: evidence.id.text)
        finding.receipt = evidence.id
        finding.bundle = evidence.bundle
        switch evidence.validation {
        case .verified(let receipt):
            finding.bundle = receipt.bundle
            finding.environment = receipt.environment
        case .rejected(let why): finding.reason = why.rawValue
        case .unusable(let why): finding.reason = why.rawValue
        case .unverified: break
        }
        return finding
    }
}

/// What is wrong with a stored receipt itself: the rows of the file `receipts` (SPEC §5).
extension Account {
    func receiptFindings() -> [Finding] { evidence.receipts.flatMap { findings(on: $0) } }

    private func findings(on receipt: ReceiptEvidence) -> [Finding] {
        switch receipt.validation {
        case .verified(let answer): findings(on: receipt, in: answer)
        case .rejected(.notAuthentic), .rejected(.signature):
            [
                finding(.receiptNotAuthentic, on: receipt, weighing: weightOfBadReceipt)
            ]
        case .rejected(.accountGone): [finding(.receiptAccountGone, on: receipt)]
        case .unusable(.empty), .unusable(.notAReceipt):
            [
                finding(
                    .receiptMalformed, on: receipt,
                    weighing: (hasGrantedRow ? .high : .low, .none))
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
                finding(.receiptForOtherApp, on: receipt, weighing: weightOfBadReceipt))
        } else if answer.environment == .production, implausibleDates(in: answer) != nil {
            findings.append(finding(.implausibleDates, on: receipt))
        }
        if !answer.anomalies.isEmpty { findings.append(finding(.parseAnomaly, on: receipt)) }
        return findings
    }

    private var weightOfBadReceipt: (Severity, Direction) {
        hasUnprovenRow ? (.critical, .leak) : (.medium, .none)
    }

    /// - Parameter weight: where the table leaves it to what the user is granted.
    private func finding(
        _ kind: FindingKind, on evidence: ReceiptEvidence,
        weighing weight: (Severity, Direction)? = nil
    ) -> Finding {
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

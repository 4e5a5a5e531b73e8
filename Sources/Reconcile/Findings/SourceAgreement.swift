/// How many receipts both sources verified, by whether they tell the same of them.
struct SourceAgreement: Hashable, Sendable {
    var agree = 0
    var differ = 0
}

extension UserCase {
    /// - Parameter findings: of the user.
    func sourceAgreement(in findings: [Finding]) -> SourceAgreement {
        var agreement = SourceAgreement()
        for receipt in evidence.receipts where receipt.isOfBothSources {
            let differs = findings.contains {
                $0.isOfDisagreement && $0.receipt == receipt.id
            }
            if differs { agreement.differ += 1 } else { agreement.agree += 1 }
        }
        return agreement
    }
}

extension ReceiptEvidence {
    fileprivate var isOfBothSources: Bool {
        answers.count > 1 && validation.isVerified
            && answers.contains { $0.proof == .verifyReceipt }
            && answers.contains { $0.proof == .serverAPI }
    }
}

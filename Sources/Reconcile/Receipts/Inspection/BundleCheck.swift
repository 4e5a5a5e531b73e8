struct BundleCheck: Sendable {
    let found: BundleID?
    let expected: BundleID?
    private let subject: String

    init(_ receipt: LocatedReceipt, expected: BundleID?) {
        self.expected = expected
        subject = "the receipt"
        switch receipt.form {
        case .iOS6(let receipt): found = receipt.info["bid"].map { BundleID($0) }
        case .app(_, let payload): found = payload?.bundle.map { BundleID($0) }
        }
    }

    init(_ payload: SignedPayload, expected question: InspectionQuestion) {
        found = payload.bundle
        expected = question.bundle ?? (found == nil ? nil : question.storedBundle)
        subject = "it"
    }

    var step: InspectionStep {
        switch (found, expected) {
        case (nil, nil):
            InspectionStep(.bundle, .notChecked, "\(subject) names no app")
        case (nil, let expected?):
            InspectionStep(.bundle, .failed, "\(subject) names no app, not \(expected)")
        case (let found?, nil):
            InspectionStep(.bundle, .notChecked, "\(subject) is of \(found); compare: --bundle")
        case (let found?, let expected?):
            found == expected
                ? InspectionStep(.bundle, .passed, "\(subject) is of \(found)")
                : InspectionStep(.bundle, .failed, "\(subject) is of \(found), not \(expected)")
        }
    }
}

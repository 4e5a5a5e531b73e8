struct BundleCheck: Sendable {
    let found: BundleID?
    let expected: BundleID?

    init(_ receipt: LocatedReceipt, expected: BundleID?) {
        self.expected = expected
        switch receipt.form {
        case .iOS6(let receipt): found = receipt.info["bid"].map { BundleID($0) }
        case .app(_, let payload): found = payload?.bundle.map { BundleID($0) }
        }
    }

    var step: InspectionStep {
        switch (found, expected) {
        case (nil, nil):
            InspectionStep(.bundle, .notChecked, "the receipt names no app")
        case (nil, let expected?):
            InspectionStep(.bundle, .failed, "the receipt names no app, not \(expected)")
        case (let found?, nil):
            InspectionStep(.bundle, .notChecked, "the receipt is of \(found); compare: --bundle")
        case (let found?, let expected?):
            found == expected
                ? InspectionStep(.bundle, .passed, "the receipt is of \(found)")
                : InspectionStep(.bundle, .failed, "the receipt is of \(found), not \(expected)")
        }
    }
}

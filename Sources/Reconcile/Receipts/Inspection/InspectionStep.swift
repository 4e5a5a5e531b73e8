package struct InspectionStep: Equatable, Sendable {
    /// In the order of the steps. Raw values are names in JSON. Receipts have the first of them,
    /// the signature and the last three.
    package enum Name: String, Sendable {
        case located
        case algorithm
        case certificates
        case leafMarker = "leaf_marker"
        case chain
        case intermediateMarker = "intermediate_marker"
        case root
        case time
        case signature
        /// What is signed inside a notification.
        case contents
        case bundle
        case version
        case device
    }

    /// Raw values are values in JSON.
    package enum CheckResult: String, Sendable {
        case passed
        case failed
        /// Checked and different, but no reason to reject the receipt.
        case differs
        /// Not checked: no evidence for or against the receipt.
        case notChecked = "not_checked"
    }

    package let name: Name
    let result: CheckResult
    /// The result in plain words, without a full stop.
    let detail: String

    init(_ name: Name, _ result: CheckResult, _ detail: String) {
        self.name = name
        self.result = result
        self.detail = detail
    }
}

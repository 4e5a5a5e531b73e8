/// One of the five classical steps of validating a receipt, and what came of it.
package struct InspectionStep: Equatable, Sendable {
    /// In their order. Raw values are the names in JSON.
    package enum Name: String, Sendable, CaseIterable {
        case located
        case signature
        case bundle
        case version
        case device
    }

    /// Raw values are the words in JSON.
    package enum Verdict: String, Sendable {
        case passed
        case failed
        /// Looked at, and different, which does not speak against the receipt.
        case differs
        /// Nobody looked: it says nothing for the receipt and nothing against it.
        case notChecked = "not_checked"
    }

    package let name: Name
    package let verdict: Verdict
    /// What was seen, in plain words, without an end.
    package let detail: String

    init(_ name: Name, _ verdict: Verdict, _ detail: String) {
        (self.name, self.verdict, self.detail) = (name, verdict, detail)
    }
}

/// Step 4: the version of the app. A difference is only noted: a stored receipt is older than the
/// app's current version.
struct VersionCheck: Sendable {
    let found: String?
    let expected: String?
    private let subject: String

    init(_ receipt: LocatedReceipt, expected: String?) {
        self.expected = expected
        subject = "the receipt"
        switch receipt.form {
        case .iOS6(let receipt): found = receipt.info["bvrs"]
        case .app(_, let payload): found = payload?.applicationVersion
        }
    }

    /// Of JWS only app transactions name a version.
    init(_ payload: SignedPayload, expected: String?) {
        self.expected = expected
        subject = "it"
        found = payload.text("applicationVersion")
    }

    var step: InspectionStep {
        let seen = found.map { "\(subject) is of version \($0)" } ?? "\(subject) names no version"
        guard let expected else {
            return InspectionStep(.version, .notChecked, "\(seen); compare: --app-version")
        }
        guard let found, found.utf8.elementsEqual(expected.utf8) else {
            return InspectionStep(
                .version, .differs,
                "\(seen), not \(expected): it says only when the receipt was made")
        }
        return InspectionStep(.version, .passed, seen)
    }
}

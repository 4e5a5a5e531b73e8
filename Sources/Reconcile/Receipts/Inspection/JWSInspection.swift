/// The check of one JWS without a network: each step, and all fields of its payload.
package struct JWSInspection: Sendable {
    let kind: SignedKind
    /// As Apple writes it; nil where the payload names none.
    let environment: String?
    let bundle: BundleID?
    let steps: [InspectionStep]
    /// The subjects from signer to root. Empty unless the certificates are trusted.
    let certificates: [String]
    /// Of the text, without white space around it.
    let byteCount: Int
    let digest: Digest
    let fields: [PayloadField]
    /// What is signed inside a notification.
    let contents: [Content]
    private let isSigned: Bool

    struct Content: Sendable {
        let name: String
        /// Nil when it is not a JWS.
        let inspection: JWSInspection?
    }

    /// - Parameter now: when the certificates must be valid if the payload has no date.
    init(_ jws: JWS, _ question: InspectionQuestion, by verifier: JWSVerifier, now: Instant) {
        kind = jws.payload.kind
        environment = jws.payload.environment
        bundle = jws.payload.bundle
        let verification = verifier.verification(of: jws, now: now)
        isSigned = verification.isGenuine
        certificates = verification.certificates
        byteCount = jws.text.count
        digest = Digest.sha256(jws.text)
        fields = PayloadField.all(of: jws.payload)
        contents =
            kind == .notification
            ? Self.contents(of: SignedNotification(jws.payload), question, by: verifier, now: now)
            : []
        steps =
            [InspectionStep(.located, .passed, "a JWS of \(byteCount) bytes: \(kind.inWords)")]
            + JWSCheck.allCases.map { InspectionStep($0, of: verification, isDated: jws.isDated) }
            + [Self.step(contents)].compactMap(\.self)
            + [
                BundleCheck(jws.payload, expected: question).step,
                VersionCheck(jws.payload, expected: question.appVersion).step,
                InspectionStep(.device, .notChecked, "that of a JWS is not compared"),
            ]
    }

    /// With the roots of `question`; its values are those of the notification.
    private static func contents(
        of notification: SignedNotification, _ question: InspectionQuestion,
        by verifier: JWSVerifier, now: Instant
    ) -> [Content] {
        var roots = InspectionQuestion()
        roots.roots = question.roots
        return notification.contents.map { name, text in
            // A notification does not hold another one.
            let jws = JWS(Array(text.utf8)).flatMap { $0.payload.kind == .notification ? nil : $0 }
            return Content(
                name: name,
                inspection: jws.map { JWSInspection($0, roots, by: verifier, now: now) })
        }
    }

    private static func step(_ contents: [Content]) -> InspectionStep? {
        guard !contents.isEmpty else { return nil }
        let failures = contents.compactMap { content -> String? in
            guard let inspection = content.inspection else { return "\(content.name): not a JWS" }
            guard !inspection.isGenuine else { return nil }
            return "\(content.name): \(inspection.failedStep?.detail ?? "not every step passed")"
        }
        guard failures.isEmpty else {
            return InspectionStep(.contents, .failed, failures.joined(separator: "; "))
        }
        let names = contents.map(\.name).joined(separator: ", ")
        return InspectionStep(.contents, .passed, "what it holds is signed, too: \(names)")
    }

    package var failedStep: InspectionStep? { steps.first { $0.result == .failed } }

    /// Whether Apple signed it and no step failed.
    package var isGenuine: Bool { isSigned && failedStep == nil }
}

extension SignedKind {
    var inWords: String {
        switch self {
        case .transaction: "a transaction"
        case .renewalInfo: "a renewal info"
        case .appTransaction: "an app transaction"
        case .notification: "a notification"
        case .other: "of an unknown kind"
        }
    }
}

extension JWS {
    fileprivate var isDated: Bool { payload.signedAt != .absent }
}

extension InspectionStep {
    fileprivate init(_ check: JWSCheck, of verification: JWSVerification, isDated: Bool) {
        let name = Name(check)
        if let failure = verification.failures.first(where: { $0.check == check }) {
            self.init(name, .failed, failure.reason)
        } else if verification.has(check) {
            self.init(name, .passed, check.success(in: verification, isDated: isDated))
        } else {
            self.init(name, .notChecked, "a step before it failed")
        }
    }
}

extension InspectionStep.Name {
    fileprivate init(_ check: JWSCheck) {
        self =
            switch check {
            case .algorithm: .algorithm
            case .certificates: .certificates
            case .leafMarker: .leafMarker
            case .chain: .chain
            case .intermediateMarker: .intermediateMarker
            case .root: .root
            case .time: .time
            case .signature: .signature
            }
    }
}

extension JWSCheck {
    fileprivate func success(in verification: JWSVerification, isDated: Bool) -> String {
        let names = verification.certificates.map(SignatureCheck.shortName)
        switch self {
        case .algorithm: return "ES256"
        case .certificates: return "three; the third is not used"
        case .leafMarker: return "the first certificate may sign for the App Store"
        case .chain: return "the second certificate issued the first"
        case .intermediateMarker: return "the second certificate is one of Apple's for developers"
        case .root: return names.last.map { "\($0) issued the second certificate" } ?? "trusted"
        case .time:
            let instant = verification.instant.map { "\($0)" } ?? ""
            return "valid at \(instant)" + (isDated ? "" : ", since it has no date")
        case .signature: return names.joined(separator: " ← ")
        }
    }
}

/// What `inspect` was given, checked without a network.
package enum InspectedFile: Sendable {
    case receipt(Inspection)
    case jws(JWSInspection)

    /// - Parameters:
    ///   - file: a receipt in any form that `Inspection` reads, or a JWS.
    ///   - now: when the certificates of a JWS without a date must be valid.
    package init(
        _ file: [UInt8], _ question: InspectionQuestion, now: Instant
    ) throws(NotAReceipt) {
        if let jws = JWS(file), JWSHeader(jws.header) != nil {
            self = .jws(JWSInspection(jws, question, by: JWSVerifier(question.roots), now: now))
        } else {
            self = .receipt(try Inspection(file, question))
        }
    }

    package var isGenuine: Bool {
        switch self {
        case .receipt(let inspection): inspection.isGenuine
        case .jws(let inspection): inspection.isGenuine
        }
    }

    package var failedStep: InspectionStep? {
        switch self {
        case .receipt(let inspection): inspection.failedStep
        case .jws(let inspection): inspection.failedStep
        }
    }
}

/// The checks of a JWS, in order.
enum JWSCheck: UInt8, Sendable, CaseIterable {
    /// ES256, and no key from the header.
    case algorithm
    /// Three certificates.
    case certificates
    case leafMarker
    /// The second certificate issued the first.
    case chain
    case intermediateMarker
    /// One of the trusted roots issued the second.
    case root
    /// The first two certificates were valid when it was signed.
    case time
    case signature
}

/// What was checked of a JWS.
struct JWSVerification: Equatable, Sendable {
    struct Failure: Equatable, Sendable {
        let check: JWSCheck
        let reason: String
    }

    /// In order.
    private(set) var failures: [Failure] = []
    /// Subjects of leaf, intermediate and root; empty unless the certificates are trusted.
    var certificates: [String] = []
    /// At which the certificates were checked; nil when the date of the signature is unreadable.
    let instant: Instant?
    /// One bit for each check that passed. What was not checked is no failure, and has no bit.
    private var passed: UInt8 = 0

    init(at instant: Instant?) { self.instant = instant }

    /// Whether Apple signed it: every check was made, and passed.
    var isGenuine: Bool { failures.isEmpty && JWSCheck.allCases.allSatisfy(has) }

    func has(_ check: JWSCheck) -> Bool { passed & 1 << check.rawValue != 0 }

    mutating func pass(_ check: JWSCheck) { passed |= 1 << check.rawValue }

    /// - Parameter reason: in words, without a full stop.
    mutating func fail(_ check: JWSCheck, _ reason: String) {
        failures.append(Failure(check: check, reason: reason))
    }

    /// - Parameter reason: nil when it passed.
    mutating func note(_ check: JWSCheck, _ reason: String?) {
        if let reason { fail(check, reason) } else { pass(check) }
    }
}

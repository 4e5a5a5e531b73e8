/// Verifies the signed strings of an answer.
struct SignedAnswerReader: Sendable {
    let verifier: JWSVerifier
    /// The wall clock, for a string without a date.
    let now: @Sendable () -> Instant

    struct NotAuthentic: Error {
        /// Without a full stop.
        let why: String
    }

    /// A string that Apple signed for the app and the environment that were asked about.
    func verified(
        _ text: ArraySlice<UInt8>, of bundle: BundleID, from server: AppleServer
    ) throws(NotAuthentic) -> JWS {
        guard let jws = JWS(text) else { throw NotAuthentic(why: "it holds text that is no JWS") }
        let verification = verifier.verification(of: jws, now: now())
        guard verification.isGenuine else {
            throw NotAuthentic(why: verification.failures.first?.reason ?? "it is not signed")
        }
        if let named = jws.payload.bundle, named != bundle {
            throw NotAuthentic(why: "it is signed for another app")
        }
        if let named = jws.payload.environment, named != server.environment.rawValue {
            throw NotAuthentic(why: "it is signed for another environment")
        }
        return jws
    }
}

/// Judges stored receipts by their own signature, for `--offline`.
///
/// A receipt is verified by the checks of `inspect`: one signature, which fits; a chain to a
/// trusted root, valid when the receipt was made; Apple's marker on the signer. A receipt whose
/// signature does not fit its own bytes is `rejected`; any other is `unverified`.
struct OfflineReading: Sendable {
    private let apple: AppleSignature
    private let verifier: JWSVerifier
    private let catalogued: Set<ProductID>?
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - catalogued: products whose kind is not read from receipts; nil: read no kinds.
    ///   - now: compared with the receipt's own expiry (Volume Purchase Program).
    init(
        _ apple: AppleSignature, _ verifier: JWSVerifier, catalogued: Set<ProductID>?,
        now: @escaping @Sendable () -> Instant
    ) {
        self.apple = apple
        self.verifier = verifier
        self.catalogued = catalogued
        self.now = now
    }

    /// - Parameter kept: the `latest_receipt` of Apple's last answer. It is used when the stored
    ///   receipt proves nothing by itself, or is older and of the same app.
    func report(on receipt: SendableReceipt, or kept: [UInt8]? = nil) -> ValidationReport {
        let stored = report(onStored: receipt)
        guard let kept, let fresh = try? provenReport(on: kept),
            case .verified(let newest) = fresh.validation
        else { return stored }
        switch stored.validation {
        case .verified(let own):
            let isNewer = (newest.createdAt ?? .distantPast) > (own.createdAt ?? .distantPast)
            return isNewer && newest.bundle == own.bundle ? fresh : stored
        case .unverified: return fresh
        case .rejected, .unusable: return stored
        }
    }

    private func report(onStored receipt: SendableReceipt) -> ValidationReport {
        do throws(NotProven) {
            return try provenReport(on: receipt.bytes)
        } catch {
            return .notProven(error.why)
        }
    }

    /// A StoreKit 2 JWS shows what is signed in it, of its customer one transaction or renewal.
    /// - Parameter bundle: of its row, for a renewal info, which names none.
    func report(on text: [UInt8], storedFor bundle: BundleID) -> ValidationReport {
        guard let jws = JWS(text) else { return .notProven("it is damaged") }
        let payload = jws.payload
        if payload.isOfXcode { return ValidationReport(.unusable(.xcode)) }
        let verification = verifier.verification(of: jws, now: now())
        guard verification.isGenuine else {
            if verification.has(.root), verification.failures.contains(where: \.isOfSignature) {
                return ValidationReport(.rejected(.signature))
            }
            return .notProven(verification.failures.first?.reason ?? "it is not signed")
        }
        guard let environment = payload.environment.flatMap({ StoreEnvironment(rawValue: $0) }),
            [.transaction, .renewalInfo, .appTransaction].contains(payload.kind)
        else { return .notProven("it names no purchase, or no environment of the App Store") }
        var history = SignedHistory()
        history.add(payload, as: payload.kind)
        return ValidationReport(
            .verified(history.receipt(of: payload.bundle ?? bundle, in: environment)))
    }

    /// `why` completes the sentence "judged offline: …".
    private struct NotProven: Error {
        let why: String

        static let unreadable = NotProven(
            why: "the signed content is not a set of receipt attributes")
    }

    private func provenReport(
        on bytes: [UInt8]
    ) throws(NotProven) -> ValidationReport {
        guard let signed = SignedReceipt(bytes), case .app(_, let attributes) = signed else {
            throw NotProven(why: "iOS 6 receipts are not judged offline")
        }
        do throws(SignatureError) {
            _ = try apple.chain(of: signed)
        } catch {
            guard !error.provesTampering else {
                return ValidationReport(.rejected(.signature))
            }
            guard attributes != nil || error.reason != .undated else { throw .unreadable }
            throw NotProven(why: error.reason.inWords)
        }
        guard let payload = attributes else { throw .unreadable }
        if let expiresAt = payload.expiresAt, expiresAt <= now() {
            throw NotProven(why: "the receipt itself expired at \(expiresAt)")
        }
        guard let content = payload.receipt else {
            throw NotProven(why: "it names no app, or no environment of the App Store")
        }
        var report = ValidationReport(.verified(content))
        report.facts.kinds = catalogued.map(payload.kinds(excluding:)) ?? [:]
        return report
    }
}

extension ValidationReport {
    /// - Parameter why: completes the sentence "judged offline: …".
    static func notProven(_ why: String) -> ValidationReport {
        var report = ValidationReport(.unverified(.offline))
        report.attempts.detail = "judged offline: " + why
        return report
    }
}

extension JWSVerification.Failure {
    fileprivate var isOfSignature: Bool { check == .signature }
}

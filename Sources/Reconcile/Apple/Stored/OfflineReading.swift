/// Judges stored receipts by their own signature, for `--offline`.
///
/// A receipt is verified by the checks of `inspect`: one signature, which fits; a chain to a
/// trusted root, valid when the receipt was made; Apple's marker on the signer. A receipt whose
/// signature does not fit its own bytes is `rejected`; any other is `unverified`.
struct OfflineReading: Sendable {
    private let trust: SignerTrust
    private let catalogued: Set<ProductID>?
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - catalogued: products whose kind is not read from receipts; nil: read no kinds.
    ///   - now: compared with the receipt's own expiry (Volume Purchase Program).
    init(
        _ roots: TrustedRoots, catalogued: Set<ProductID>?, now: @escaping @Sendable () -> Instant
    ) {
        trust = SignerTrust(roots)
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
            var report = ValidationReport(.unverified(.offline))
            report.attempts.detail = "judged offline: " + error.why
            return report
        }
    }

    /// `why` completes the sentence "judged offline: …".
    private struct NotProven: Error { let why: String }

    private func provenReport(
        on bytes: [UInt8]
    ) throws(NotProven) -> ValidationReport {
        guard let signed = try? SignedData(bytes) else {
            throw NotProven(why: "iOS 6 receipts are not judged offline")
        }
        let signer: ArraySlice<UInt8>
        do throws(SignatureError) {
            signer = try signed.onlySigner()
        } catch {
            guard !error.provesTampering else {
                return ValidationReport(.rejected(.signature))
            }
            throw NotProven(why: error.reason.inWords)
        }
        guard let payload = try? ReceiptPayload(signed.content) else {
            throw NotProven(why: "the signed content is not a set of receipt attributes")
        }
        guard let createdAt = payload.createdAt else {
            throw NotProven(why: "it does not say when it was made")
        }
        do throws(SignatureError) {
            try trust.requireAppleSigner(signer, of: signed, signedAt: createdAt)
        } catch {
            throw NotProven(why: error.reason.inWords)
        }
        if let expiresAt = payload.expiresAt, expiresAt <= now() {
            throw NotProven(why: "the receipt itself expired at \(expiresAt)")
        }
        guard let content = payload.receipt else {
            throw NotProven(why: "it names no app, or no environment of the App Store")
        }
        var report = ValidationReport(.verified(content))
        report.signedKinds = catalogued.map(payload.kinds(excluding:)) ?? [:]
        return report
    }
}

/// What a stored receipt proves by itself, for a run that asks nobody.
///
/// Genuine is what is genuine to `inspect`: one signature, which fits; a chain to a trusted root,
/// valid when the receipt was made; Apple's marker on the signer. What cannot be shown to be so is
/// `unverified`: only a signature that does not fit its own bytes speaks against a receipt.
struct OfflineReading: Sendable {
    private let trust: SignerTrust
    private let catalogued: Set<ProductID>?
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - catalogued: of these the kind is not asked; nil: of none.
    ///   - now: a receipt may end, as those of the Volume Purchase Program do.
    init(
        _ roots: TrustedRoots, catalogued: Set<ProductID>?, now: @escaping @Sendable () -> Instant
    ) {
        (trust, self.catalogued, self.now) = (SignerTrust(roots), catalogued, now)
    }

    /// `verified`, `rejected` (`signature`), or `unverified` (`offline`) with the reason in words.
    /// - Parameter kept: what Apple signed when it last answered about the receipt: it stands for
    ///   one that proves nothing by itself, and for an older one of the same app.
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

    /// Why a receipt proves nothing without Apple: the rest of a sentence.
    private struct NotProven: Error { let why: String }

    private func provenReport(
        on bytes: [UInt8]
    ) throws(NotProven) -> ValidationReport {
        guard let signed = try? SignedData(bytes) else {
            throw NotProven(why: "receipts of iOS 6 are not judged without Apple")
        }
        let signer: ArraySlice<UInt8>
        do throws(SignatureError) {
            signer = try signed.onlySigner()
        } catch {
            guard !error.speaksAgainstBytes else {
                return ValidationReport(.rejected(.signature))
            }
            throw NotProven(why: error.reason.inWords)
        }
        guard let payload = try? ReceiptPayload(signed.content) else {
            throw NotProven(why: "what is signed is no set of a receipt's attributes")
        }
        guard let createdAt = payload.createdAt else {
            throw NotProven(why: "it does not say when it was made")
        }
        do throws(SignatureError) {
            try trust.requireApples(signer, of: signed, signedAt: createdAt)
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
        report.signedKinds = catalogued.map(payload.kinds(besides:)) ?? [:]
        return report
    }
}

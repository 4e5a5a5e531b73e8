/// Opens download keys for a file server that checks whether a download may proceed.
package struct KeyOpener: Sendable {
    private let ring: KeyRing
    private let store: ValidationStore
    private let now: @Sendable () -> Instant

    package init(
        keys ring: KeyRing, database: Database, now: @escaping @Sendable () -> Instant
    ) {
        self.ring = ring
        store = database.validations
        self.now = now
    }

    /// A malformed or expired key needs no database.
    package func open(_ text: String) async -> KeyAnswer {
        let key: DownloadKey
        do throws(DownloadKey.Refusal) {
            key = try DownloadKey(text, with: ring)
        } catch {
            return .fail(error == .forged ? .forged : .unknownKey)
        }
        guard key.expiresAt > now() else { return .fail(.expired) }
        do {
            let asset = try await store.asset(
                receipt: key.receipt, product: key.product, productKey: key.productKey)
            guard let asset, !asset.isRevoked else { return .fail(.revoked) }
            return .ok(key, remoteProduct: asset.remoteProduct)
        } catch {
            return .unavailable(error.inWords)
        }
    }
}

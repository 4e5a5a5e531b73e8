internal import Synchronization

/// The apps of which it matters how customers came by them, by the catalogue as it was read last.
/// The service reads it again and again, and asks about customers meanwhile.
package final class PremiumApps: Sendable {
    private let bundles = Mutex<Set<BundleID>>([])

    package init() {}

    func read(in catalog: Catalog) { bundles.withLock { $0 = catalog.appsWithPremium } }

    package func contains(_ bundle: BundleID) -> Bool {
        bundles.withLock { $0.contains(bundle) }
    }
}

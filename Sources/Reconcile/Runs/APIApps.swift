/// The apps that have a key of the App Store Server API. Kept of a run, so that its replay asks the
/// same without keys.
package struct APIApps: Hashable, Sendable {
    /// The apps with a line of their own.
    package let named: Set<BundleID>
    /// Whether there is a key for all others.
    package let includesOthers: Bool

    package init(named: Set<BundleID> = [], includesOthers: Bool = false) {
        self.named = named
        self.includesOthers = includesOthers
    }

    /// - Parameter text: as `text` has it.
    init(text: String) {
        let names = text.split(separator: " ").map(String.init)
        self.init(
            named: Set(names.filter { $0 != "*" }.map { BundleID($0) }),
            includesOthers: names.contains("*"))
    }

    /// Their bundle ids, sorted, and `*` for all others: a setting of the run.
    package var text: String {
        (named.map(\.text).sorted() + (includesOthers ? ["*"] : [])).joined(separator: " ")
    }

    package func contains(_ bundle: BundleID) -> Bool { includesOthers || named.contains(bundle) }

    package var isEmpty: Bool { named.isEmpty && !includesOthers }
}

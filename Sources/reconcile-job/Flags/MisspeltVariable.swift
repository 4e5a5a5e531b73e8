/// Variables that look like ours and are not: a slip that would go unnoticed. A warning and no
/// error, since others may own such names: Kubernetes makes `RECONCILE_SERVICE_HOST` for a service
/// that is called `reconcile`.
enum MisspeltVariable {
    private static let prefix = "RECONCILE_"

    /// A sentence for each of `names` that is nearly the name of a variable of some command.
    static func warnings(_ names: [String]) -> [String] {
        let known = Flag.all.map { String($0.variable.dropFirst(prefix.count)) }
        return names.sorted().compactMap { name in
            guard name.hasPrefix(prefix) else { return nil }
            let rest = String(name.dropFirst(prefix.count))
            guard !known.contains(rest),
                let meant = Suggestion.nearest(
                    to: rest, in: known.map { $0.lowercased() })
            else { return nil }
            return "\(name) is not read. Did you mean \(prefix)\(meant.uppercased())?"
        }
    }
}

/// Warns of environment variables whose names are nearly ours. They are no error, since other
/// programs may own them: Kubernetes sets `RECONCILE_SERVICE_HOST` for a service `reconcile`.
enum MisspeltVariable {
    private static let prefix = "RECONCILE_"

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

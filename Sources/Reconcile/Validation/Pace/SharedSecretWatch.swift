/// Notices the apps whose shared secret is wrong, by their first answers (SPEC §2.7).
///
/// Each further question would bring another 21004 and no knowledge. Answers that say nothing
/// about a secret do not count: those of the retry class, 21007 and 21008.
struct SharedSecretWatch: Sendable {
    private struct Start {
        var answers = 0
        var mismatches = 0
    }

    private static let firstAnswers = 20
    /// Bundle ids come from receipts, so that anybody can invent one. More than a team has apps.
    private static let mostBundles = 1_000

    private var starts: [BundleID: Start] = [:]
    private var stopped: Set<BundleID> = []

    /// Whether no more is asked about receipts of `bundle`.
    func isStopped(_ bundle: BundleID) -> Bool { !stopped.isEmpty && stopped.contains(bundle) }

    /// True when this answer is the one that stops `bundle`.
    mutating func note(_ bundle: BundleID, isMismatch: Bool) -> Bool {
        guard starts[bundle] != nil || starts.count < Self.mostBundles else { return false }
        let start = Self.count(isMismatch, in: &starts[bundle, default: Start()])
        guard start.answers == Self.firstAnswers, start.mismatches * 2 > start.answers else {
            return false
        }
        return stopped.insert(bundle).inserted
    }

    private static func count(_ isMismatch: Bool, in start: inout Start) -> Start {
        guard start.answers < firstAnswers else { return Start() }
        start.answers += 1
        if isMismatch { start.mismatches += 1 }
        return start
    }
}

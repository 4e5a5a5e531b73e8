internal import Synchronization

/// Logs what befalls requests, of each kind a line at once and then one in a while, with the number
/// of those in between: anyone may cause them, at any pace.
package final class ServiceNotices: Sendable {
    private let log: @Sendable (String) -> Void
    private let pace: Mutex<NoticePace>

    /// - Parameter log: called from any task.
    package init(log: @escaping @Sendable (String) -> Void) {
        self.log = log
        pace = Mutex(NoticePace())
    }

    func note(_ kind: NoticePace.Kind, _ sentence: String) {
        let line = pace.withLock { $0.line(kind, sentence, at: .now) }
        if let line { log(line) }
    }

    /// Logs how many lines were suppressed. To be called at the end.
    package func finish() {
        for line in pace.withLock({ $0.rest() }) { log(line) }
    }
}

/// Which lines are due.
struct NoticePace: Sendable {
    enum Kind: Hashable, Comparable, Sendable {
        case unanswered, unopened, crowd, otherUser
        case uncatalogued(ProductID)

        static func < (left: Self, right: Self) -> Bool { "\(left)" < "\(right)" }
    }

    private struct Logged {
        var at: ContinuousClock.Instant
        var suppressed = 0
        var last = ""
    }

    static let pause = Duration.seconds(10)
    /// Of more kinds, which only products outside the catalogue can make, none is logged.
    static let mostKinds = 1_000

    private var kinds: [Kind: Logged] = [:]

    /// The line for the log; nil when there was one of its kind just before.
    mutating func line(
        _ kind: Kind, _ sentence: String, at now: ContinuousClock.Instant
    ) -> String? {
        guard let logged = kinds[kind] else {
            guard kinds.count < Self.mostKinds else { return nil }
            kinds[kind] = Logged(at: now)
            return sentence
        }
        guard logged.at.duration(to: now) >= Self.pause else {
            kinds[kind]?.suppressed += 1
            kinds[kind]?.last = sentence
            return nil
        }
        kinds[kind] = Logged(at: now)
        guard logged.suppressed > 0 else { return sentence }
        return "\(sentence) Before it, \(logged.suppressed) more of this kind were not logged."
    }

    /// The lines about what was counted since, each with the last sentence of its kind.
    mutating func rest() -> [String] {
        defer { kinds = [:] }
        return kinds.filter { $0.value.suppressed > 0 }.sorted { $0.key < $1.key }.map {
            _, logged in
            "\(logged.suppressed) more of this kind were not logged; the last: \(logged.last)"
        }
    }
}

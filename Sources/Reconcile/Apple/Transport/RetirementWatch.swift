internal import Synchronization

/// Keeps Apple's first announcement that an API of its will end, and reports it once.
final class RetirementWatch: Sendable {
    private let first = Mutex<[AnswerSource: RetirementNotice]>([:])
    private let observe: @Sendable (PaceChange) -> Void

    init(_ observe: @escaping @Sendable (PaceChange) -> Void) { self.observe = observe }

    /// Of several the one that ends first.
    var notice: RetirementNotice? {
        first.withLock { first in
            first.values.min {
                ($0.endsAt ?? .distantFuture, $0.api) < ($1.endsAt ?? .distantFuture, $1.api)
            }
        }
    }

    func look(at response: HTTPResponse, of source: AnswerSource, now: Instant) {
        guard let notice = RetirementNotice(of: source.name, response, now: now) else { return }
        let isFirst = first.withLock { first in
            guard first[source] == nil else { return false }
            first[source] = notice
            return true
        }
        if isFirst { observe(.retirementAnnounced(notice)) }
    }
}

extension RetirementNotice {
    /// - Parameter now: decides the century of dates with two-digit years.
    init?(of api: String, _ response: HTTPResponse, now: Instant) {
        self.init(
            of: api, deprecation: response.deprecation,
            deprecatedAt: response.deprecation.flatMap { Self.since($0) ?? Self.date($0, now) },
            sunset: response.sunset, endsAt: response.sunset.flatMap { Self.date($0, now) })
    }

    /// Parses `@` and seconds since 1970, up to the year 9999.
    private static func since(_ line: String) -> Instant? {
        guard line.first == "@", let seconds = Int64(line.dropFirst()),
            (0..<253_402_300_800).contains(seconds)
        else { return nil }
        return Instant(milliseconds: seconds * 1_000)
    }

    private static func date(_ line: String, _ now: Instant) -> Instant? {
        HTTPDate.milliseconds(line, nowMilliseconds: now.milliseconds)
            .map { Instant(milliseconds: $0) }
    }
}

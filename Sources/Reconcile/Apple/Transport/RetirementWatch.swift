internal import Synchronization

/// Keeps Apple's first announcement that an API of its will end, and reports it once.
final class RetirementWatch: Sendable {
    private let first = Mutex<RetirementNotice?>(nil)
    private let observe: @Sendable (PaceChange) -> Void

    private let api: String

    init(of api: String, _ observe: @escaping @Sendable (PaceChange) -> Void) {
        self.api = api
        self.observe = observe
    }

    var notice: RetirementNotice? { first.withLock { $0 } }

    func look(at response: HTTPResponse, now: Instant) {
        guard let notice = RetirementNotice(of: api, response, now: now) else { return }
        let isFirst = first.withLock { first in
            guard first == nil else { return false }
            first = notice
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

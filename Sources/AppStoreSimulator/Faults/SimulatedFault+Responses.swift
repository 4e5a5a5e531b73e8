extension SimulatedFault {
    static let responses = [
        SimulatedFault("500") { _ in .http(500, "Internal Server Error", "") },
        SimulatedFault("502") { _ in .http(502, "Bad Gateway", page) },
        SimulatedFault("503") { _ in .http(503, "Service Unavailable", "Service Unavailable") },
        SimulatedFault("503-after") { _ in .busy(503, ["Retry-After: 1"]) },
        SimulatedFault("503-date") { _ in .busy(503, [date, "Retry-After: \(aSecondLater)"]) },
        SimulatedFault("503-ms") { _ in .busy(503, [date, "Retry-After: 1795140001000"]) },
        SimulatedFault("429") { _ in
            .http(429, "Too Many Requests", "slow down", ["Retry-After: 1"])
        },
        SimulatedFault("429-bare") { _ in .busy(429) },
        SimulatedFault("429-date") { _ in .busy(429, [date, "Retry-After: \(aSecondLater)"]) },
        SimulatedFault("429-old-date") { _ in
            .busy(429, [date, "Retry-After: Friday, 20-Nov-26 02:00:01 GMT"])
        },
        SimulatedFault("429-ms") { _ in .busy(429, [date, "Retry-After: 1795140001000"]) },
        SimulatedFault("429-fraction") { _ in .busy(429, ["Retry-After: 1.5"]) },
        SimulatedFault("429-negative") { _ in .busy(429, ["Retry-After: -5"]) },
        SimulatedFault("429-past") { _ in
            .busy(429, [date, "Retry-After: Thu, 19 Nov 2026 02:00:00 GMT"])
        },
        SimulatedFault("429-twice") { _ in .busy(429, ["Retry-After: 0", "Retry-After: 1"]) },
        SimulatedFault("429-words") { _ in .busy(429, ["Retry-After: soon"]) },
        SimulatedFault("429-long", isDrawn: false) { _ in .busy(429, ["Retry-After: 120"]) },
        SimulatedFault("503-long", isDrawn: false) { _ in .busy(503, ["Retry-After: 120"]) },
        SimulatedFault("204") { _ in [.send(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))] },
        SimulatedFault("301") { _ in .http(301, "Moved Permanently", "", [elsewhere]) },
        SimulatedFault("302") { _ in .http(302, "Found", "", [elsewhere]) },
        SimulatedFault("307") { _ in .http(307, "Temporary Redirect", "", [elsewhere]) },
        SimulatedFault("403") { _ in .http(403, "Forbidden", page) },
    ]

    private static let elsewhere = "Location: https://itunes.apple.com/"
    /// 1795140000 seconds after 1970.
    private static let date = "Date: Fri, 20 Nov 2026 02:00:00 GMT"
    private static let aSecondLater = "Fri, 20 Nov 2026 02:00:01 GMT"
}

extension [ReplyStep] {
    fileprivate static func busy(_ status: Int, _ headers: [String] = []) -> [ReplyStep] {
        .http(status, status == 429 ? "Too Many Requests" : "Service Unavailable", "", headers)
    }
}

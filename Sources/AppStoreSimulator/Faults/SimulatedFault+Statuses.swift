extension SimulatedFault {
    static let statuses = [
        SimulatedFault("21000", isDrawn: false) { _ in .json(#"{"status":21000}"#) },
        SimulatedFault("21001") { _ in .json(#"{"status":21001}"#) },
        SimulatedFault("21002") { _ in
            .json(#"{"status":21002,"exception":"java.lang.IllegalArgumentException"}"#)
        },
        // 21003 and 21010 are believed when they are repeated.
        SimulatedFault("21003", isDrawn: false) { _ in .json(#"{"status":21003}"#) },
        SimulatedFault("21010", isDrawn: false) { _ in .json(#"{"status":21010}"#) },
        SimulatedFault("21004", isDrawn: false) { .status(21_004, from: $0) },
        SimulatedFault("21005") { .status(21_005, from: $0) },
        SimulatedFault("21009") {
            .status(21_009, from: $0, #","exception":"com.apple.\#(cache)""#)
        },
        SimulatedFault("21104") { .status(21_104, from: $0, #","is_retryable":true"#) },
        SimulatedFault("21199") { _ in .json(#"{"status":21199,"is-retryable":"true"}"#) },
        SimulatedFault("21199-final", isDrawn: false) { _ in
            .json(#"{"status":21199,"is_retryable":false,"is-retryable":"0"}"#)
        },
        SimulatedFault("99999") { _ in .json(#"{"status":99999}"#) },
        SimulatedFault("loop", isDrawn: false) { planned in
            .json(#"{"status":\#(planned.environment == .production ? 21_007 : 21_008)}"#)
        },
        SimulatedFault("loop-production", isDrawn: false) { _ in .json(#"{"status":21007}"#) },
        SimulatedFault("loop-sandbox", isDrawn: false) { _ in .json(#"{"status":21008}"#) },
        SimulatedFault("status-text") { _ in .json(#"{"status":"21005"}"#) },
        SimulatedFault("no-receipt") { .status(0, from: $0) },
    ]

    private static let cache = "jingle.commercelogic.inappcache.MZInAppCacheAccessException"
}

extension [ReplyStep] {
    fileprivate static func status(
        _ status: Int, from planned: PlannedReply, _ more: String = ""
    ) -> [ReplyStep] {
        .json(
            #"{"status":\#(status),"environment":"\#(planned.environment.rawValue)"\#(more)}"#)
    }
}

internal import Reconcile

extension Flag {
    /// Thresholds beyond which a run over everything is held as implausible; `off` disables one.
    static let guards: [Flag] = [
        .value(
            "guards", "on|off",
            "hold an implausible run over everything: later runs ignore it"
                + " unless it is released", default: .value("on"), to: \.isGuarded
        ) { text in (try FlagValue.choice(text) as Switch) == .on },
        .value(
            "guard-shrink", "N%|off",
            "hold a run without receipts or rows, or with fewer than this share of the last"
                + " published run's", default: .value("50%"), to: \.guards.minimumShareOfLastRun,
            FlagValue.share),
        .value(
            "guard-unusable", "N%|off", "hold a run with more unusable receipts than this",
            default: .value("20%"), to: \.guards.maximumUnusable, FlagValue.share),
        .value(
            "guard-not-judged", "N%|off", "hold a run with more rows not judged than this",
            default: .value("50%"), to: \.guards.maximumNotJudged, FlagValue.share),
        .value(
            "guard-app-store-rows", "N|off", "hold a run with fewer app_store rows than this",
            default: .value("1"), to: \.guards.minimumAppStoreRows
        ) { text in
            try FlagValue.orOff(text, FlagValue.wholeNumber(1...Int.max))
        },
        .value(
            "guard-freshness", "DURATION|off",
            "hold a run whose newest receipt or row is older than this",
            default: .value("7d"), to: \.guards.freshness
        ) { text in
            try FlagValue.orOff(text, FlagValue.duration(.milliseconds(1)))
        },
        .value(
            "guard-secrets", "N|off",
            "hold a run with more receipts than this of an app without a shared secret",
            default: .value("20"), to: \.guards.maximumWithoutSecret
        ) { text in
            try FlagValue.orOff(text, FlagValue.wholeNumber(0...Int.max))
        },
        .value(
            "guard-leap", "N|off",
            "hold a run in which a kind of finding, or money, is over N times its median in"
                + " the last seven runs", default: .value("3"), to: \.guards.maximumOfMedian
        ) { text in
            try FlagValue.orOff(text, FlagValue.number(atLeast: 1))
        },
    ]

    private enum Switch: String, CaseIterable { case on, off }
}

extension FlagValue {
    static func share(_ text: String) throws -> Double? {
        guard text != "off" else { return nil }
        guard text.hasSuffix("%"), let share = try? allowance(text),
            case .percent(let percent) = share
        else {
            throw InvalidValue(text, isNot: "a share such as 50% (up to 100%), or off")
        }
        return percent
    }

    /// Nil for `off`.
    static func orOff<Value>(
        _ text: String, _ read: (String) throws -> Value
    ) throws -> Value? {
        guard text != "off" else { return nil }
        do {
            return try read(text)
        } catch let error as InvalidValue {
            throw InvalidValue(error.reason.dropLast() + ", or off.")
        }
    }
}

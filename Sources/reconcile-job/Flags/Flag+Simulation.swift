internal import AppStoreSimulator
internal import Reconcile

extension Flag {
    /// What only `simulate` takes.
    static let simulation: [Flag] = [
        .value(
            "seed", "N", "what the world grows from; the same seed gives the same world",
            default: .value("1"), of: [.simulate], to: \.simulation.seed,
            FlagValue.wholeNumber(0...Int.max)),
        .value(
            "customers", "N", "how many customers there are", default: .value("300"),
            of: [.simulate], to: \.simulation.customers,
            FlagValue.wholeNumber(0...100_000_000)),
        .value(
            "night", "N", "look at the world so many nights on: renewals, refunds, mended rows",
            default: .value("1"), of: [.simulate], to: \.simulation.night,
            FlagValue.wholeNumber(1...3_650)),
        .value(
            "port", "PORT", "of the production server; 0 for a free one", default: .value("0"),
            of: [.simulate], to: \.simulation.port, FlagValue.port),
        .value(
            "sandbox-port", "PORT", "of the sandbox server; 0 for a free one",
            default: .value("0"), of: [.simulate], to: \.simulation.sandboxPort, FlagValue.port),
        .value(
            "latency", "DURATION", "how long an answer takes, give or take a half",
            default: .value("0s"), of: [.simulate], to: \.simulation.latency,
            FlagValue.duration(.zero)),
        .value(
            "faults", "RATE|SCRIPT",
            "how often to fail, as in 5%, or at what and when: 503:2%, 21002:first=1, "
                + "html:10s-60s, reset:receipt=ID, 429:sandbox; the faults are any status of five "
                + "digits, " + FaultPlan.faultNames.joined(separator: ", "),
            of: [.simulate], to: \.simulation.faults
        ) { text throws(InvalidValue) in
            do throws(FaultPlan.Unreadable) {
                _ = try FaultPlan(parsing: text)
                return text
            } catch {
                throw InvalidValue(error.reason)
            }
        },
        Flag(
            "load", .value(placeholder: "CONNECTION"),
            "first fill schema app of this database with what the service has stored, in place of "
                + "what is there", of: [.simulate]
        ) { text, origin, configuration throws(InvalidValue) in
            let address = DatabaseAddress(text: try FlagValue.text(text))
            configuration.simulation.load = try address.checked(from: origin)
        },
    ]
}

internal import AppStoreSimulator
internal import Reconcile

extension Flag {
    static let simulation: [Flag] = [
        .value(
            "seed", "N", "seed of the generated customers; the same seed gives the same data",
            default: .value("1"), of: [.simulate], to: \.simulation.seed,
            FlagValue.wholeNumber(0...Int.max)),
        .value(
            "customers", "N", "how many customers to generate", default: .value("300"),
            of: [.simulate], to: \.simulation.customers,
            FlagValue.wholeNumber(0...100_000_000)),
        .value(
            "night", "N", "simulate the Nth night: later renewals, refunds, corrected rows",
            default: .value("1"), of: [.simulate], to: \.simulation.night,
            FlagValue.wholeNumber(1...3_650)),
        .value(
            "port", "PORT", "port of the production server; 0: any free port", default: .value("0"),
            of: [.simulate], to: \.simulation.port, FlagValue.port),
        .value(
            "sandbox-port", "PORT", "port of the sandbox server; 0: any free port",
            default: .value("0"), of: [.simulate], to: \.simulation.sandboxPort, FlagValue.port),
        .value(
            "latency", "DURATION", "how long an answer takes, plus or minus half",
            default: .value("0s"), of: [.simulate], to: \.simulation.latency,
            FlagValue.duration(.zero)),
        .value(
            "faults", "RATE|SCRIPT",
            "faults to inject: a rate such as 5%, or a script such as 503:2%, 21002:first=1, "
                + "html:10s-60s, reset:receipt=ID, 429:sandbox; a fault is any status of five "
                + "digits, " + FaultPlan.faultNames.joined(separator: ", "),
            of: [.simulate], to: \.simulation.faults
        ) { text in
            do throws(FaultPlan.Unreadable) {
                _ = try FaultPlan(parsing: text)
                return text
            } catch {
                throw InvalidValue(error.reason)
            }
        },
        Flag(
            "load", .value(placeholder: "CONNECTION"),
            "first fill schema app of this database with the generated rows, replacing "
                + "what is there", of: [.simulate]
        ) { text, origin, configuration in
            let address = DatabaseAddress(text: try FlagValue.text(text))
            configuration.simulation.load = try address.checked(from: origin)
        },
    ]
}

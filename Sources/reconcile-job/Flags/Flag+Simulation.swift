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
            "port", "PORT", "port of verifyReceipt in production; 0: any free port",
            default: .value("0"), of: [.simulate], to: \.simulation.port, FlagValue.port),
        .value(
            "sandbox-port", "PORT", "port of verifyReceipt in the sandbox; 0: any free port",
            default: .value("0"), of: [.simulate], to: \.simulation.sandboxPort, FlagValue.port),
        .value(
            "api-port", "PORT",
            "port of the App Store Server API in production; 0: any free port",
            default: .value("0"), of: [.simulate], to: \.simulation.apiPort, FlagValue.port),
        .value(
            "api-sandbox-port", "PORT",
            "port of the App Store Server API in the sandbox; 0: any free port",
            default: .value("0"), of: [.simulate], to: \.simulation.apiSandboxPort,
            FlagValue.port),
        .value(
            "latency", "DURATION", "how long an answer takes, plus or minus half",
            default: .value("0s"), of: [.simulate], to: \.simulation.latency,
            FlagValue.duration(.zero)),
        .value(
            "faults", "RATE|SCRIPT",
            "faults to inject: a rate such as 5%, or a script such as 503:2%, 21002:first=1, "
                + "html:10s-60s, reset:receipt=ID, 429:sandbox; those of the App Store Server API "
                + "begin with api-, and receipt=ID there means its customer; a fault is any "
                + "status of five digits, " + FaultPlan.faultNames.joined(separator: ", "),
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
        .value(
            "stored", "receipt|jws|id|mixed",
            "what --load stores of each purchase: a receipt, a signed transaction of StoreKit 2, "
                + "a transaction id, or each of them in turn", default: .value("receipt"),
            of: [.simulate], to: \.simulation.stored
        ) { text in try FlagValue.choice(text) },
        .value(
            "write-api-keys", "FOLDER",
            "first write api-keys, a file for --api-keys, and the throw-away keys that it names "
                + "into this folder", of: [.simulate], to: \.simulation.apiKeys, FlagValue.text),
        .value(
            "write-roots", "FOLDER",
            "first write the simulator's root certificates into this folder, for --roots; never "
                + "trust them elsewhere", of: [.simulate], to: \.simulation.roots, FlagValue.text),
    ]
}

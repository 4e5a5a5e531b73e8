/// This worker leaves its users to the other workers of the run.
package struct WorkerCutOff: Error, CustomStringConvertible {
    enum Cause: Equatable, Sendable {
        /// Other workers got answers meanwhile.
        case noAnswers
        /// None of its requests could be sent; with the most frequent reason.
        case noConnection(String?)
    }

    let cause: Cause

    package var description: String {
        let remedy = "Correct this machine's network, proxy or URL, then join again."
        return switch cause {
        case .noAnswers:
            "Apple has stopped answering this worker but still answers other workers of the run."
                + " They take over its users. \(remedy)"
        case .noConnection(let failure):
            "This worker cannot connect to Apple: the other workers of the run take over its users."
                + (failure.map { " \($0)" } ?? "") + " \(remedy)"
        }
    }
}

/// One line of a look at a set-up.
package struct Diagnosis: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable { case ok, warning, problem }

    /// What was looked at: one or two words that scripts may rely on.
    package let name: String
    package let verdict: Verdict
    /// What was seen, and unless all is well what to do.
    package let detail: String

    package init(_ name: String, _ verdict: Verdict, _ detail: String) {
        self.name = name
        self.verdict = verdict
        self.detail = detail
    }

    static func ok(_ name: String, _ detail: String) -> Diagnosis { Diagnosis(name, .ok, detail) }

    static func warning(_ name: String, _ detail: String) -> Diagnosis {
        Diagnosis(name, .warning, detail)
    }

    static func problem(_ name: String, _ detail: String) -> Diagnosis {
        Diagnosis(name, .problem, detail)
    }

    /// `share` % of the rows, in words; nil where there are none.
    static func share(_ count: Int, of all: Int) -> String {
        let percent = all == 0 ? 0 : Double(count) * 100 / Double(all)
        return "\(count.grouped) of \(all.grouped) (\(percent.brief) %)"
    }

    /// The lines of `look`, or one line with the error that ended it.
    static func lines(
        _ name: String, as verdict: Diagnosis.Verdict = .problem,
        _ look: () async throws -> [Diagnosis]
    ) async -> [Diagnosis] {
        do {
            return try await look()
        } catch let error as DatabaseError {
            if case .sourceData(let problems) = error.reason {
                return problems.map { Diagnosis(name, verdict, $0) }
            }
            return [Diagnosis(name, verdict, error.description)]
        } catch {
            return [Diagnosis(name, verdict, "\(error)")]
        }
    }
}

/// Compares the clock of a server with this machine's.
package enum ClockCheck {
    package static func diagnosis(
        _ name: String, _ other: Instant, now: Instant
    ) -> Diagnosis {
        let difference = abs(other.milliseconds - now.milliseconds)
        let text = "\(other), and this machine's clock says \(now)"
        if difference <= ClockWatch.tolerance {
            return .ok(name, "\(other), as this machine's clock says")
        }
        let remedy = "Set the clock of the machine that is wrong, by NTP for example."
        return difference <= ClockWatch.limit
            ? .warning(name, "\(text). \(remedy)") : .problem(name, "\(text). \(remedy)")
    }
}

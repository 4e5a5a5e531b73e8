/// One line of `doctor`.
package struct Diagnosis: Hashable, Sendable {
    package enum Health: String, Hashable, Sendable { case ok, warning, problem }

    package let name: String
    package let health: Health
    /// What was found, and what to do unless it is `ok`.
    package let detail: String

    package init(_ name: String, _ health: Health, _ detail: String) {
        self.name = name
        self.health = health
        self.detail = detail
    }

    static func ok(_ name: String, _ detail: String) -> Diagnosis { Diagnosis(name, .ok, detail) }

    static func warning(_ name: String, _ detail: String) -> Diagnosis {
        Diagnosis(name, .warning, detail)
    }

    static func problem(_ name: String, _ detail: String) -> Diagnosis {
        Diagnosis(name, .problem, detail)
    }

    /// For example `5 of 20 (25 %)`.
    static func share(_ count: Int, of all: Int) -> String {
        let percent = all == 0 ? 0 : Double(count) * 100 / Double(all)
        return "\(count.grouped) of \(all.grouped) (\(percent.brief) %)"
    }

    /// The lines of `check`, or one line with the error that it threw.
    static func lines(
        _ name: String, as health: Diagnosis.Health = .problem,
        _ check: () async throws -> [Diagnosis]
    ) async -> [Diagnosis] {
        do {
            return try await check()
        } catch let error as DatabaseError {
            if case .sourceData(let problems) = error.reason {
                return problems.map { Diagnosis(name, health, $0) }
            }
            return [Diagnosis(name, health, error.description)]
        } catch {
            return [Diagnosis(name, health, "\(error)")]
        }
    }
}

enum HouseRule: Equatable, Sendable {
    case arrow(ForbiddenArrow)
    case table
    case limit(HouseLimit)

    /// The rule about a name or import that leads from one module to another.
    init(from room: Room, to other: String) {
        switch (room.name, other) {
        case ("Reports", "Storage"), ("Reports", "Postgres"), ("Reports", "Pipeline"):
            self = .arrow(.reportsToStorage)
        case ("Pipeline", "Reports"), ("Pipeline", "Observability"):
            self = .arrow(.pipelineToReports)
        case ("HTTP", _), ("Postgres", _), ("Crypto", _): self = .arrow(.neighboursOfFloorOne)
        case ("Validation", "Storage"): self = .arrow(.validationToStorage)
        case ("AppStoreSimulator", _): self = .arrow(.simulatorToUs)
        default:
            let isUp = room.floor == 0 && FloorPlan.room(named: other)?.floor != 0
            self = isUp ? .arrow(.groundFloorUp) : .table
        }
    }

    var explanation: String {
        switch self {
        case .arrow(let arrow): "Arrow \(arrow.rawValue), \(arrow.title). \(arrow.advice)"
        case .table: "The table in docs/architecture.md does not allow it. Reverse the dependency."
        case .limit(let limit): limit.advice
        }
    }
}

struct Violation: Equatable, Sendable, CustomStringConvertible {
    let path: String
    let line: Int
    let rule: HouseRule
    /// The violating code, for example "Reports names `Database`".
    let what: String

    var description: String { "\(path):\(line): \(what). \(rule.explanation)" }
}

/// The eight forbidden dependencies, numbered as in `docs/architecture.md`.
enum ForbiddenArrow: Int, CaseIterable, Sendable {
    case groundFloorUp = 1
    case reportsToStorage
    case pipelineToReports
    case neighboursOfFloorOne
    case validationToStorage
    case simulatorToUs
    case edgeOutsideItsPlace
    case writingToTheApplication

    var title: String {
        switch self {
        case .groundFloorUp: "ground floor → anything above, a clock, async, files, environment"
        case .reportsToStorage: "Reports → Storage, Postgres, Pipeline"
        case .pipelineToReports: "Pipeline → Reports, Observability"
        case .neighboursOfFloorOne: "HTTP, Postgres, Crypto, SCGI → each other or any word of ours"
        case .validationToStorage: "Validation → Storage"
        case .simulatorToUs: "AppStoreSimulator → anything of ours"
        case .edgeOutsideItsPlace:
            "SQL text outside sql/; environment, exit or terminal outside reconcile-job"
        case .writingToTheApplication: "any of ours → a schema other than reconcile, writing"
        }
    }

    /// The reason for the rule, and what to do instead.
    var advice: String {
        switch self {
        case .groundFloorUp:
            "Rules are pure so that a table can test them. Take it as an argument (time is `asOf`)."
        case .reportsToStorage:
            "A report that queries cannot be repeated. Pass the values as arguments."
        case .pipelineToReports:
            "A run does not know its observers. Emit a `RunEvent`."
        case .neighboursOfFloorOne:
            "A C library's module stays reusable without dependencies. Translate one layer up."
        case .validationToStorage:
            "Validation is stateless. Let the pipeline record, or pass known values as arguments."
        case .simulatorToUs:
            "A simulator that shares our parser shares its mistakes. Write its own code."
        case .edgeOutsideItsPlace:
            "Put the statement into sql/; read the environment in reconcile-job and pass it on."
        case .writingToTheApplication:
            "The team's tables are read only. Write `reconcile.name`, or do not write."
        }
    }
}

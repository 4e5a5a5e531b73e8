/// A step of an inspection in one line: its name, its verdict, and details.
struct StepLine {
    let text: String

    /// - Parameter width: of the column of names.
    init(_ step: InspectionStep, width: Int = 17) {
        text =
            Self.padded(step.name.words, width) + Self.padded(step.result.words, 13) + step.detail
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

extension InspectionStep.Name {
    fileprivate var words: String {
        switch self {
        case .located, .algorithm, .certificates, .chain, .root, .time, .contents, .bundle,
            .version, .device:
            rawValue
        case .leafMarker: "leaf marker"
        case .intermediateMarker: "intermediate marker"
        case .signature: "signed by Apple"
        }
    }
}

extension InspectionStep.CheckResult {
    fileprivate var words: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .differs: "differs"
        case .notChecked: "not checked"
        }
    }
}

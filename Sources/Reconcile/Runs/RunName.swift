/// How an operator names a run: by the beginning of its id, or by its place among the published
/// runs over everything.
package enum RunName: Hashable, Sendable {
    case latest
    /// The published run before the latest one.
    case previous
    /// Of a run's id, which may be the name of its folder.
    case beginning(String)

    package init(_ text: String) {
        self =
            switch text {
            case "latest": .latest
            case "previous": .previous
            default: .beginning(text.hasSuffix("-trial") ? String(text.dropLast(6)) : text)
            }
    }

    /// Those of `find_known_runs`: the beginning of the id, or how many published
    /// runs are newer.
    var parameters: [String?] {
        switch self {
        case .latest: [nil, "0"]
        case .previous: [nil, "1"]
        case .beginning(let prefix): [prefix, nil]
        }
    }
}

extension RunName: CustomStringConvertible {
    package var description: String {
        switch self {
        case .latest: "latest"
        case .previous: "previous"
        case .beginning(let prefix): prefix
        }
    }
}

/// What a folder is, where it is not that of a published run over everything.
extension FolderVerification {
    package var remarks: [String] {
        var remarks: [String] = []
        if status == .held {
            remarks.append(
                marks.contains(.released)
                    ? "It was held by a guard."
                    : "It is held: a guard found it implausible, so it does not count.")
        }
        if let scopeMark {
            remarks.append("It is \(Self.inWords(scopeMark)): later runs do not count it.")
        }
        return remarks + marks.map { "It was \($0.rawValue) later: \($0.fileName)." }
    }

    /// How the database names the run, if the folder does not say so.
    package func contradiction(by known: KnownRun) -> String? {
        let isReleased = status == .held && known.state == "published"
        if isReleased, !marks.contains(.released) { return "released" }
        let isTold =
            switch known.state {
            case "published": true
            case "held": status == .held
            default: marks.contains(.retracted)
            }
        return isTold ? nil : known.state
    }

    private static func inWords(_ scopeMark: String) -> String {
        switch scopeMark {
        case "trial": "a trial"
        case "replay": "a replay"
        default: "of some users only (\(scopeMark))"
        }
    }
}

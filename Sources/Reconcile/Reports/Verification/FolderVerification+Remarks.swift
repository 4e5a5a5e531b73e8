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
        if let erasure {
            let what = Erasure.sentence(erasure.lines, of: erasure.users)
            remarks.append("It was written anew without \(what): \(ErasedMark.fileName).")
        }
        return remarks + marks.map { "It was \($0.rawValue) later: \($0.fileName)." }
    }

    /// How the database names the run, if the folder does not say so.
    package func contradiction(by known: RunListing) -> String? {
        let isReleased = status == .held && known.state == "published"
        if isReleased, !marks.contains(.released) { return "released" }
        let isSaid =
            switch known.state {
            case "published": true
            case "held": status == .held
            default: marks.contains(.retracted)
            }
        return isSaid ? nil : known.state
    }

    /// How the manifest, and an `ERASED.json` beside it, differ from what the database recorded.
    /// - Parameter left: what the run had of the users whom `ERASED.json` names as left out.
    package func differences(from known: RunListing, left: Erasure?) -> [String] {
        guard let account = known.account else { return [] }
        guard let erasure, let left else {
            return account.manifestSHA256 == manifestSHA256
                ? [] : ["manifest.json: differs from the one recorded in the database."]
        }
        let recorded = ErasedMark(
            run: known.run.id, manifestSHA256: manifestSHA256, formerSHA256: erasure.former,
            publishedSHA256: account.manifestSHA256, erasure: left)
        return recorded.json == erasure.bytes
            ? [] : ["\(ErasedMark.fileName): differs from what is recorded in the database."]
    }

    private static func inWords(_ scopeMark: String) -> String {
        switch scopeMark {
        case "trial": "a trial"
        case "replay": "a replay"
        default: "of some users only (\(scopeMark))"
        }
    }
}

/// The limits of CONTRIBUTING.md that a test can check.
enum HouseLimit: CaseIterable, Sendable {
    case fileLength, functionLength, lineLength
    case uncheckedSendable, nonisolatedUnsafe, forcedTry, fatalError, vector
    case unstructuredTask, globalVariable, foundationProcess
    case folderName, noRoom, cLibrary, unreadable

    static let mostLinesInFile = 300
    static let mostLinesInFunction = 50
    static let mostColumns = 100

    /// The reason for the limit, and what to do instead.
    var advice: String {
        switch self {
        case .fileLength: "One file, one idea: move the second one out."
        case .functionLength: "Name its parts and call them."
        case .lineLength: "Break it; `swift format -i` does most."
        case .uncheckedSendable: "Isolation is proved, not promised: an actor, a Mutex, a value."
        case .nonisolatedUnsafe: "There is one, for libcurl's multi handle in HTTP, and a decision."
        case .vector: "Frames of async functions are not aligned to it (decision 90)."
        case .forcedTry: "Throw, or make the wrong state unspellable."
        case .fatalError: "Throw; for a programmer's error `preconditionFailure` and its reason."
        case .unstructuredTask: "Use a task group, so that cancelling the run cancels it."
        case .globalVariable: "State is an actor's, a counter is a Mutex, a constant is `let`."
        case .foundationProcess:
            "It crashes now and then on Linux (swift-corelibs-foundation 5472): ChildProcess."
        case .folderName: "Name the folder after a noun of the domain."
        case .noRoom: "Put it into a room, or add the room to FloorPlan and docs/architecture.md."
        case .cLibrary: "Each C library lives behind one folder; ask that room for Swift types."
        case .unreadable: "Close the literal or comment; write a regular expression as `#/…/#`."
        }
    }
}

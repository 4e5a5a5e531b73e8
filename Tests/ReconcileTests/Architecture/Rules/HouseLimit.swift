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
        case .functionLength: "Split it into named functions."
        case .lineLength: "Break it; `swift format -i` does most."
        case .uncheckedSendable: "Use an actor, a Mutex or a value, which the compiler checks."
        case .nonisolatedUnsafe: "There is one, for libcurl's multi handle in HTTP, and a decision."
        case .vector: "Frames of async functions are not aligned to it (decision 90)."
        case .forcedTry: "Throw, or make the wrong state impossible in the types."
        case .fatalError: "Throw; for a programmer's error `preconditionFailure` and its reason."
        case .unstructuredTask: "Use a task group, so that cancelling the run cancels it."
        case .globalVariable: "State is an actor's, a counter is a Mutex, a constant is `let`."
        case .foundationProcess:
            "It sometimes crashes on Linux (swift-corelibs-foundation 5472). Use ChildProcess."
        case .folderName: "Name the folder after a noun of the domain."
        case .noRoom: "Put it into a module, or add one to FloorPlan and docs/architecture.md."
        case .cLibrary: "Only one module imports a C library; use that module's Swift types."
        case .unreadable: "Close the literal or comment; write a regular expression as `#/…/#`."
        }
    }
}

/// Access to the outside: pure modules have none, and only `reconcile-job` uses the environment,
/// the exit and the terminal.
enum EdgeRule {
    private static let outside: [Wording] = [
        Wording("getenv", .call), Wording("secure_getenv", .call), Wording("setenv", .call),
        Wording("unsetenv", .call), Wording("environ"), Wording("ProcessInfo"),
        Wording("CommandLine"),
        Wording("exit", .call), Wording("_exit", .call), Wording("quick_exit", .call),
        Wording("isatty", .call), Wording("print", .call), Wording("debugPrint", .call),
        Wording("readLine", .call), Wording("puts", .call), Wording("printf", .call),
        Wording("write", .callWith(["1", "2"])), Wording("STDOUT_FILENO"),
        Wording("STDERR_FILENO"), Wording("stdout"), Wording("stderr"),
        Wording("standardOutput", .member), Wording("standardError", .member),
    ]

    private static let clocksAndTasks: [Wording] = [
        Wording("Date"), Wording("now", .member), Wording("ContinuousClock"),
        Wording("SuspendingClock"), Wording("clock_gettime", .call), Wording("time", .call),
        Wording("Task"), Wording("await"), Wording("async"), Wording("actor"),
        Wording("withTaskGroup", .call), Wording("withThrowingTaskGroup", .call),
        Wording("FileManager"), Wording("FileHandle"), Wording("fopen", .call),
        Wording("open", .call), Wording("contentsOf"),
    ]

    static func violations(in file: SwiftFile) -> [Violation] {
        guard let room = file.room, room.name != "reconcile-job" else { return [] }
        let pure = room.floor == 0 ? Wording.uses(of: clocksAndTasks, in: file.tokens) : []
        return pure.map {
            file.violation(
                .arrow(.groundFloorUp), line: $0.line, "\(room.name) uses `\($0.word)`")
        }
            + Wording.uses(of: outside, in: file.tokens).map {
                file.violation(
                    .arrow(room.floor == 0 ? .groundFloorUp : .edgeOutsideItsPlace), line: $0.line,
                    "\(room.name) uses `\($0.word)`")
            }
    }
}

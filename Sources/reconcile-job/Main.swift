internal import Glibc
internal import Reconcile

@main
enum ReconcileJob {
    /// The main thread waits for signals, and a task does the work and ends the process. The task
    /// is `@concurrent`: on the main actor it would never run, because its thread waits.
    static func main() {
        Heap.keepFreedMemory()
        Hardening.apply()
        let signals = StopSignals()
        let words = Array(CommandLine.arguments.dropFirst())
        let work = Task<Void, Never> { @concurrent in exit(await run(words, signals).rawValue) }
        signals.forward(to: work)
    }

    private static func run(_ words: [String], _ signals: StopSignals) async -> ExitCode {
        do throws(Ending) {
            switch try Arguments(environment: Environment.value).invocation(words) {
            case .help(let command): try StandardStream.print(Help.text(command))
            case .version: try StandardStream.print("reconcile-job \(Version.text)\n")
            case .command(let command, let configuration):
                signals.began(command)
                let console = Console(configuration)
                signals.onQuestion { console.printProgress() }
                for warning in MisspeltVariable.warnings(Environment.names) {
                    console.observe(.warning(warning))
                }
                let signs = try RunMonitoring(command, configuration, console)
                await signs.began()
                let ending = await run(command, configuration, console, signals)
                // A stop cancels the current task, so the monitor is notified from a new one.
                let isStopped = signals.ending != nil
                await Task { await signs.ended(ending, isStopped: isStopped) }.value
                console.end(ending)
                return ending.exit
            }
            return .complete
        } catch {
            let ending = signals.ending ?? error
            Console(Configuration()).end(ending)
            return ending.exit
        }
    }

    private static func run(
        _ command: CommandName, _ configuration: Configuration, _ console: Console,
        _ signals: StopSignals
    ) async -> Ending {
        do {
            switch command {
            case .run:
                let fitting = try Resources.fitting(configuration, console)
                return try await RunCommand(fitting, console).run()
            case .doctor: return try await DoctorCommand(configuration).run()
            case .check: return try await CheckCommand(configuration).run()
            case .inspect: return try await InspectCommand(configuration).run()
            case .validate: return try await ValidateCommand(configuration, console).run()
            case .serve: return try await ServeCommand(configuration, console).run()
            case .openKey: return try await OpenKeyCommand(configuration).run()
            case .keys: return try KeysCommand().run()
            case .explain: return try await ExplainCommand(configuration).run()
            case .evidence: return try await EvidenceCommand(configuration).run()
            case .exportReceipts:
                return try await ExportReceiptsCommand(configuration).run()
            case .runs: return try await RunsCommand(configuration).run()
            case .period: return try await PeriodCommand(configuration).run()
            case .diff: return try await DiffCommand(configuration).run()
            case .report: return try await ReportCommand(configuration, console).run()
            case .verify: return try await VerifyCommand(configuration).run()
            case .signOff: return try await SignOffCommand(configuration).run()
            case .tieOut: return try await TieOutCommand(configuration).run()
            case .migrate: return try await MigrateCommand(configuration, console).run()
            case .accept: return try await AcceptCommand(configuration).run()
            case .retract:
                return try await HistoryCommand(.retracted, configuration, console).run()
            case .release:
                return try await HistoryCommand(.released, configuration, console).run()
            case .prune: return try await PruneCommand(configuration, console).run()
            case .generate: return try GenerateCommand(configuration).run()
            case .simulate: return try await SimulateCommand(configuration).run(signals)
            }
        } catch {
            // A stopped command may fail in any way: the signal is the reason.
            return signals.ending ?? Ending(error)
        }
    }
}

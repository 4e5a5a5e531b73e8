internal import Glibc
internal import Reconcile

/// `reconcile-job doctor`: checks a setup without judging a receipt, one line per check.
struct DoctorCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        var lines: [Diagnosis] = []
        let (inputs, problem) = readInputs()
        let files = "secrets, keys, URLs and certificates can be read"
        lines += [problem ?? Diagnosis("files", .ok, files)]
        lines += [reportsFolder()]
        var bundles: [(bundle: BundleID, count: Int)] = []
        do {
            try await Database.lend(configuration.database?.text ?? "", connections: 1) {
                database in
                let doctor = DatabaseDoctor(database) { .now }
                lines += await doctor.server(
                    allowsWritableRole: configuration.allowsWritableRole)
                lines += await ViewsDoctor(database, apps: inputs?.apiKeys.apps ?? APIApps())
                    .diagnoses()
                // A failure to read the views is already reported by a line of `ViewsDoctor`.
                bundles = (try? await database.survey.bundles()) ?? []
                lines += await guards(inputs, database)
                lines += await forgottenRuns(database)
            }
        } catch {
            lines.append(Diagnosis("database", .problem, Ending(error).message))
        }
        if let inputs { lines += try await apple(inputs, bundles) }
        try show(lines)
        return Self.ending(lines)
    }

    private func readInputs() -> (RunInputs?, Diagnosis?) {
        do throws(Ending) {
            return (try RunInputs(configuration), nil)
        } catch {
            return (nil, Diagnosis("files", .problem, error.message))
        }
    }

    /// Only guards that no other line covers: age and size of the views' data.
    private func guards(_ inputs: RunInputs?, _ database: Database) async -> [Diagnosis] {
        // A failure to read the views is already reported by a line of `ViewsDoctor`.
        let reasons = try? await GuardForecast(configuration, database).implausible(inputs)
        return (reasons ?? []).filter { ["stale", "shrunk"].contains($0.by) }.map {
            Diagnosis("guards", .problem, "A run would be held. \($0.sentence)")
        }
    }

    /// A failure to read the folder or the runs is already reported by another line.
    private func forgottenRuns(_ database: Database) async -> [Diagnosis] {
        guard let reports = try? ReportsDirectory(reading: configuration.reports) else { return [] }
        let forgotten = try? await ForgottenRuns(in: reports, of: database)
        guard let sentence = forgotten?.sentence else { return [] }
        let advice =
            "The next run marks them with RETRACTED.json. If --database or --reports is"
            + " wrong, correct it first."
        return [Diagnosis("latest", .warning, "\(sentence) \(advice)")]
    }

    private func reportsFolder() -> Diagnosis {
        let path = configuration.reports
        do throws(ReportError) {
            try ReportFolder.check(
                path, group: try configuration.group(), leavesNothing: true)
        } catch {
            return Diagnosis("reports", .problem, error.description)
        }
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else {
            return Diagnosis("reports", .ok, "\(path) can be written")
        }
        let free = UInt64(disk.f_bavail) * UInt64(disk.f_frsize) / (1 << 20)
        guard free >= Self.leastFreeMiB else {
            return Diagnosis(
                "reports", .problem,
                "\(path) has only \(free) MiB free. A run of a million findings takes a gigabyte."
                    + " Free some space.")
        }
        return Diagnosis("reports", .ok, "\(path) can be written and has \(free) MiB free")
    }

    private static let leastFreeMiB: UInt64 = 256

    private func apple(
        _ inputs: RunInputs, _ bundles: [(bundle: BundleID, count: Int)]
    ) async throws -> [Diagnosis] {
        let wiring = try SourceWiring(
            inputs, ValidationSettings(configuration, inputs), choice: configuration.source)
        let doctor = AppleDoctor { .now }
        let probe = try wiring.receiptProbe()
        let asked = bundles.filter { wiring.asksVerifyReceipt(of: $0.bundle) }
        var lines = AppleDoctor.secrets(of: asked, hasSecret: probe.hasSecret)
        lines += await doctor.servers(of: .verifyReceipt, reach: probe.reach)
        if configuration.asksLive {
            lines += await AppleDoctor.triedSecrets(of: bundles, trySecret: probe.trySecret)
        }
        guard let probe = try wiring.customerProbe() else { return lines }
        lines += AppleDoctor.keys(of: bundles, hasKey: inputs.apiKeys.apps.contains)
        lines += await doctor.servers(of: .serverAPI, reach: probe.reach)
        if configuration.asksLive {
            lines += await AppleDoctor.triedKeys(of: bundles, tryKey: probe.tryKey)
        }
        return lines
    }

    private func show(_ lines: [Diagnosis]) throws(Ending) {
        guard !configuration.isQuiet else { return }
        switch configuration.output {
        case .text:
            let width = lines.map(\.name.count).max() ?? 0
            let text = lines.map { line in
                let health = line.health.rawValue
                let name = line.name + String(repeating: " ", count: width - line.name.count)
                return health + String(repeating: " ", count: 9 - health.count) + name + "  "
                    + line.detail.escapingControls() + "\n"
            }
            try StandardStream.print(text.joined())
        case .json: try StandardStream.print(DiagnosisJSON.text(lines))
        case .none: break
        }
    }

    private static func ending(_ lines: [Diagnosis]) -> Ending {
        let problems = lines.count { $0.health == .problem }
        let warnings = lines.count { $0.health == .warning }
        let counts = "\(problems) problems and \(warnings) warnings in \(lines.count) checks."
        guard problems > 0 else { return Ending(.complete, "\(counts) A run can start.") }
        return Ending(.findings, "\(counts) Do what the lines say, then run doctor again.")
    }
}

internal import AppStoreSimulator
internal import Glibc

/// The secrets, keys, root certificates and sales reports of the simulated App Store, written for
/// the job's flags.
struct ThrowAwayFiles {
    private let store: SimulatedStore
    private let secrets: String?
    private let keys: String?
    private let roots: String?
    private let sales: String?

    /// Of sales reports: as many as a run counts units of.
    private static let days = 62

    init(_ settings: SimulationSettings, of store: SimulatedStore) {
        self.store = store
        secrets = settings.secrets
        keys = settings.apiKeys
        roots = settings.roots
        sales = settings.sales
    }

    /// Files that exist are replaced.
    /// - Throws: an ending with status 73.
    func write() throws(Ending) {
        // The job refuses secrets and keys that others can read.
        if let secrets {
            let lines = SimulatedApp.all.map { "\($0.bundle) = \($0.secret)\n" }.joined()
            try write("--write-secrets", into: secrets, [("shared-secrets", lines)], mode: 0o600)
        }
        if let keys { try write("--write-api-keys", into: keys, Self.keyFiles, mode: 0o600) }
        if let roots {
            let files = ThrowAwayRoot.all.map { ($0.name, $0.pem) }
            try write("--write-roots", into: roots, files, mode: 0o644)
        }
        if let sales {
            let files = store.salesReports(days: Self.days).map { ($0.name, $0.text) }
            try write("--write-sales", into: sales, files, mode: 0o644)
        }
    }

    private static var keyFiles: [(name: String, text: String)] {
        let lines = ThrowAwayAPIKey.all.flatMap { key in
            key.bundles.map { "\($0) = \(key.issuer) \(key.id) \(key.file)\n" }
        }
        let note = "# Keys of the simulated App Store Server API. They open nothing else.\n"
        return ThrowAwayAPIKey.all.map { ($0.file, $0.pem) } + [("api-keys", note + lines.joined())]
    }

    private func write(
        _ flag: String, into folder: String, _ files: [(name: String, text: String)], mode: mode_t
    ) throws(Ending) {
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw Self.failure(flag, folder) }
        for file in files {
            let path = folder + "/" + file.name
            unlink(path)
            let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw Self.failure(flag, path) }
            let bytes = Array(file.text.utf8)
            let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
            guard close(descriptor) == 0, isWritten else { throw Self.failure(flag, path) }
        }
    }

    private static func failure(_ flag: String, _ path: String) -> Ending {
        let words = String(cString: strerror(errno))
        return Ending(
            .cannotCreateReports,
            "\(flag): cannot write \(path): \(words). Give a folder that this user can write in.")
    }
}

extension ThrowAwayAPIKey {
    fileprivate var file: String { "\(id).p8" }
}

internal import Reconcile

/// `reconcile-job open-key`: prints which asset the download key on stdin opens.
struct OpenKeyCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// Far more than the length of any download key.
    private static let mostBytes = 1 << 20

    func run() async throws -> Ending {
        let ring = try KeyFile.read(configuration.service.keyFile)
        var bytes = try InputFile.read(
            "-", limit: Self.mostBytes, describedAs: "download key", orRefuseWith: .usage)
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        let text = String(decoding: bytes, as: UTF8.self)
        let address = configuration.database?.text ?? ""
        let answer = try await Database.lend(address, connections: 1) { database in
            try await database.schema.check()
            return await KeyOpener(keys: ring, database: database, now: { .now }).open(text)
        }
        if case .unavailable(let why) = answer {
            throw Ending(.unavailable, "\(why) Try again later.")
        }
        try StandardStream.print(String(decoding: answer.bytes, as: UTF8.self) + "\n")
        switch answer {
        case .ok: return Ending(.complete, "The key opens its asset.")
        case .fail(let refusal):
            return Ending(.findings, "The key opens nothing: \(refusal.rawValue).")
        case .unavailable(let why): return Ending(.unavailable, why)
        }
    }
}

/// `reconcile-job keys new`: prints a new line for the download key file.
struct KeysCommand: Sendable {
    func run() throws -> Ending {
        try StandardStream.print(KeyRing.newLine() + "\n")
        return Ending(
            .complete,
            "Put the line at the top of the file of --download-key-file: it seals new keys,"
                + " and the lines below it still open old ones. Keep the file private (chmod 600).")
    }
}

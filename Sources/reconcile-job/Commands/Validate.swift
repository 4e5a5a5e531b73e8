internal import Reconcile

/// `reconcile-job validate`: answers one request of the service, from stdin on stdout.
struct ValidateCommand: Sendable {
    private let configuration: Configuration
    private let console: Console

    init(_ configuration: Configuration, _ console: Console) {
        self.configuration = configuration
        self.console = console
    }

    func run() async throws -> Ending {
        let wiring = try ServiceWiring(configuration, console)
        let body = try InputFile.read(
            "-", limit: ValidationRequest.mostBytes, describedAs: "request",
            orRefuseWith: .usage)
        let request: ValidationRequest
        do throws(BadRequest) {
            request = try ValidationRequest(body)
        } catch {
            throw Ending(.usage, "\(error) Send {\"receipt-data\": \"…\"} on stdin.")
        }
        do {
            return try await wiring.lend(connections: 2, trustingUserIDs: true) { service, _ in
                try Self.conclude(await service.answer(request))
            }
        } catch {
            let ending = Ending(error)
            // A caller that parses stdout also gets a body on failure.
            if ending.exit == .unavailable { try Self.print(.unavailable("")) }
            throw ending
        }
    }

    private static func conclude(_ answer: ServiceAnswer) throws -> Ending {
        switch answer {
        case .ok(let products):
            try print(answer)
            return Ending(.complete, "The receipt unlocks \(products.count) assets.")
        case .fail:
            try print(answer)
            return Ending(
                .complete, "The receipt unlocks nothing: it is invalid, or of another app.")
        case .crowded:
            throw Ending(.unavailable, "Too many requests wait for Apple. Try again later.")
        case .unavailable(let why):
            throw Ending(.unavailable, "\(why) Nothing was stored. Try again later.")
        }
    }

    private static func print(_ answer: ServiceAnswer) throws(Ending) {
        try StandardStream.print(String(decoding: answer.bytes, as: UTF8.self))
    }
}

package struct ServiceRouter: Sendable {
    private let service: ReceiptService
    private let opener: KeyOpener
    private let notices: ServiceNotices

    package init(
        _ service: ReceiptService, _ opener: KeyOpener, _ notices: ServiceNotices
    ) {
        self.service = service
        self.opener = opener
        self.notices = notices
    }

    package func response(to request: SCGIRequest) async -> SCGIResponse {
        switch (request.path, request.method) {
        case ("/validate", "POST"): await validate(request)
        case ("/validate", _): Self.notAllowed("POST")
        case ("/open-key", "GET"):
            await open(request.headers[SCGIRequest.keyHeader] ?? "")
        case ("/open-key", _),
            ("/healthz", _) where request.method != "GET":
            Self.notAllowed("GET")
        case ("/healthz", _):
            await service.isReady()
                ? SCGIResponse(200, Self.healthy) : Self.unavailable(Self.unhealthy)
        default: SCGIResponse(404, Self.fail)
        }
    }

    private func validate(_ message: SCGIRequest) async -> SCGIResponse {
        let receipt: HeldReceipt?
        do throws(BadRequest) {
            receipt = try self.receipt(in: message.body)
        } catch {
            return SCGIResponse(error.isTooLarge ? 413 : 400, Self.fail)
        }
        let answer = await service.answer(receipt, beforeAsking: message.releaseBody)
        switch answer {
        case .ok, .fail: return SCGIResponse(200, answer.bytes)
        case .crowded: return Self.unavailable(answer.bytes)
        case .unavailable(let why):
            notices.note(.unanswered, "A receipt could not be validated: \(why)")
            return Self.unavailable(answer.bytes)
        }
    }

    /// Not asynchronous: the frame of such a function could keep the text until the answer.
    private func receipt(in body: SCGIBody) throws(BadRequest) -> HeldReceipt? {
        service.receipt(of: try ValidationRequest(body.take()))
    }

    private func open(_ key: String) async -> SCGIResponse {
        let answer = await opener.open(key)
        switch answer {
        case .ok(_, let asset):
            return SCGIResponse(
                200, answer.bytes, headers: [("X-Remote-Product-Id", asset.percentEncoded)])
        case .fail: return SCGIResponse(403, answer.bytes)
        case .unavailable(let why):
            notices.note(.unopened, "A download key could not be opened: \(why)")
            return Self.unavailable(answer.bytes)
        }
    }

    private static let fail = ServiceAnswer.fail.bytes
    private static let healthy = Array(#"{"status":"ok"}"#.utf8)
    private static let unhealthy = Array(#"{"status":"fail"}"#.utf8)

    private static func notAllowed(_ method: String) -> SCGIResponse {
        SCGIResponse(405, fail, headers: [("Allow", method)])
    }

    private static func unavailable(_ body: [UInt8]) -> SCGIResponse {
        SCGIResponse(503, body, headers: [("Retry-After", "5")])
    }
}

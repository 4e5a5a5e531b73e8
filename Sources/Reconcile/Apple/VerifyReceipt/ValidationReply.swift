enum ValidationReply: Equatable, Sendable {
    case answer(VerifyReceiptAnswer)
    /// HTTP 200 without Apple's JSON.
    case unreadable(VerifyReceiptAnswer.Unreadable)
    case httpStatus(Int)
    /// No complete HTTP answer. `cause` is libcurl's message.
    case failure(Unverified, cause: String, detail: String)
}

extension ValidationReply {
    /// - Parameter body: of an answer with HTTP status 200.
    init(_ body: [UInt8], from server: AppleServer) {
        do throws(VerifyReceiptAnswer.Unreadable) {
            self = .answer(try VerifyReceiptAnswer.read(body, from: server.environment))
        } catch {
            self = ValidationReply(error)
        }
    }

    init(_ error: HTTPError) {
        self = .failure(
            Unverified(error.reason), cause: error.cause, detail: error.description)
    }

    init(_ error: VerifyReceiptAnswer.Unreadable) {
        guard error == .json(.tooLarge) else {
            self = .unreadable(error)
            return
        }
        let cause = "the answer is too large"
        self = .failure(.answerTooLarge, cause: cause, detail: cause)
    }

    var detail: String {
        switch self {
        case .answer(let answer):
            let exception = answer.exception.flatMap(JavaClassName.init).map { ", \($0.text)" }
            return "status \(answer.status.rawValue)\(exception ?? "")"
        case .unreadable(.noStatus): return "the answer has no status"
        case .unreadable(.json(let error)): return "the answer is not JSON: \(error)"
        case .httpStatus(let status): return "HTTP \(status)"
        case .failure(_, _, let detail): return detail
        }
    }
}

extension ValidationReply {
    /// A few words on why the server is in trouble, for the log.
    var cause: String {
        switch self {
        case .failure(_, let cause, _): cause
        case .answer(let answer) where answer.status.isValid && answer.receipt == nil:
            "an incomplete answer (\(detail))"
        case .answer, .unreadable, .httpStatus: detail
        }
    }
}

extension Unverified {
    init(_ reason: HTTPError.Reason) {
        self =
            switch reason {
            case .timeout: .timeout
            case .tooLarge: .answerTooLarge
            default: .connectionFailed
            }
    }
}

/// Apple's `exception`, for example `java.lang.IllegalArgumentException`. Other text is not shown:
/// a server that echoes its request would put the secret into a report.
private struct JavaClassName {
    let text: String

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, text.utf8.count <= 200, parts.allSatisfy(Self.isIdentifier) else {
            return nil
        }
        self.text = text
    }

    private static func isIdentifier(_ part: Substring) -> Bool {
        guard let first = part.utf8.first, !first.isDigit else { return false }
        return part.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24: true
            default: false
            }
        }
    }
}

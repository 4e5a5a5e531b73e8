/// What one attempt brought.
enum ValidationReply: Equatable, Sendable {
    /// 200 with Apple's JSON.
    case answer(VerifyReceiptAnswer)
    /// 200 with something else.
    case unreadable(VerifyReceiptAnswer.Unreadable)
    /// Another HTTP status.
    case httpStatus(Int)
    /// No whole HTTP answer; `cause` in libcurl's words.
    case failure(Unverified, cause: String, detail: String)
}

/// A reply, with what is known of the request that brought it.
struct Attempt: Sendable {
    let reply: ValidationReply
    /// The row of the table that the reply falls under.
    let status: AppleStatus
    /// How long the server asks us to wait.
    var retryAfter: Duration?
    /// Apple's name for the request.
    var requestID: String?
    /// The length of the answer's body; 0 where there was none.
    var bodyBytes = 0
}

extension ValidationReply {
    /// 200 with what cannot be read.
    init(_ error: VerifyReceiptAnswer.Unreadable) {
        guard error == .json(.tooLarge) else {
            self = .unreadable(error)
            return
        }
        let cause = "the answer is too large"
        self = .failure(.answerTooLarge, cause: cause, detail: cause)
    }

    /// One line for an engineer.
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
    /// Why the server is in trouble, in a few words.
    var cause: String {
        if case .failure(_, let cause, _) = self { cause } else { detail }
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

/// Apple's `exception`, for example `java.lang.IllegalArgumentException`. Anything else is not
/// repeated: a server that echoes its request would put the secret into a report.
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

/// What a reply says about the server that gave it (SPEC §2.4): the words in which `Pace` thinks.
enum ReplyClass: Equatable, Sendable {
    /// An answer to live with, good or bad.
    case sound
    /// Of the retry class.
    case troubled
    /// HTTP 429.
    case throttled
    /// 21010, or 21003 although a secret was sent: believed when it is said twice, and not in a
    /// storm.
    case rejection
    /// 21004.
    case secretMismatch
    /// 21007 or 21008: the other server knows.
    case elsewhere
}

extension Reply {
    /// The class of a reply from `environment`.
    func replyClass(from environment: StoreEnvironment, hasSecret: Bool) -> ReplyClass {
        switch self {
        case .answer(let answer): answer.replyClass(from: environment, hasSecret: hasSecret)
        case .httpStatus(429): .throttled
        case .unreadable, .httpStatus, .failure: .troubled
        }
    }
}

extension Reply {
    /// How Apple refuses the receipt, if it does.
    func rejection(hasSecret: Bool) -> Rejection? {
        guard case .answer(let answer) = self else { return nil }
        return answer.rejection(hasSecret: hasSecret)
    }
}

extension VerifyReceiptAnswer {
    fileprivate func rejection(hasSecret: Bool) -> Rejection? {
        switch status.meaning {
        case .notAuthentic: hasSecret ? .notAuthentic : nil
        case .accountGone: .accountGone
        default: nil
        }
    }

    fileprivate func replyClass(
        from environment: StoreEnvironment, hasSecret: Bool
    ) -> ReplyClass {
        switch status.meaning {
        case .valid: receipt == nil ? .troubled : .sound
        case .requestRefused: .sound
        case .malformed, .unavailable: .troubled
        case .internalError: isRetryable == false ? .sound : .troubled
        case .notAuthentic, .accountGone:
            rejection(hasSecret: hasSecret) == nil ? .sound : .rejection
        case .sharedSecretMismatch: .secretMismatch
        // An environment that names itself says nothing.
        case .belongsTo(let other): other == environment ? .troubled : .elsewhere
        }
    }
}

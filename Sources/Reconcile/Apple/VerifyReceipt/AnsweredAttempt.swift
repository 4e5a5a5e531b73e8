extension Attempt {
    /// What a reply means, by its row of the table.
    init(_ reply: ValidationReply, from server: AppleServer, hasSecret: Bool) {
        let row = AppleStatus.of(reply, from: server, hasSecret: hasSecret)
        self.init(
            Meaning(row.step, reply), Health(row.server),
            Access(row.server, hasSecret: hasSecret))
        switch reply {
        case .answer(let answer): status = answer.status.rawValue
        case .failure(_, let cause, _): failure = cause
        case .unreadable, .httpStatus: break
        }
        if !isVerified { detail = reply.detail }
        if health != .sound { trouble = reply.cause }
    }
}

extension Attempt.Meaning {
    fileprivate init(_ step: AppleStatus.Step, _ reply: ValidationReply) {
        switch step {
        case .verify:
            // `AppleStatus.all` has a row of its own for an answer without a receipt.
            guard case .answer(let answer) = reply, let receipt = answer.receipt else {
                self = .ended(.incompleteAnswer)
                return
            }
            self = .verified(receipt)
        case .refuse(let rejection): self = .refused(rejection)
        case .move(let other): self = .elsewhere(other)
        case .retry(let cause):
            if case .failure(let own, _, _) = reply {
                self = .retry(own)
            } else {
                self = .retry(cause)
            }
        case .end(let cause): self = .ended(cause)
        }
    }
}

extension Attempt.Health {
    fileprivate init(_ server: AppleStatus.Server) {
        switch server {
        case .sound, .secretMismatch, .notUnderstood, .elsewhere: self = .sound
        case .ambiguous: self = .ambiguous
        case .troubled: self = .troubled
        case .throttled: self = .throttled
        }
    }
}

extension Attempt.Access {
    fileprivate init(_ server: AppleStatus.Server, hasSecret: Bool) {
        switch server {
        case .sound: self = .granted
        case .secretMismatch:
            self = .denied(hasSecret ? .sharedSecretRejected : .sharedSecretMissing)
        case .notUnderstood: self = .notUnderstood
        case .elsewhere, .ambiguous, .troubled, .throttled: self = .unknown
        }
    }
}

/// The simulated App Store Server API, without faults: maps a request to an answer.
struct SimulatedServerAPI: Sendable {
    let store: SimulatedStore

    /// - Parameters:
    ///   - authorization: the value of that header.
    ///   - seconds: of the wall clock, since 1970, by which tokens are judged.
    func answer(
        _ method: String, _ target: String, body: [UInt8] = [], authorization: String?,
        at environment: SimulatedEnvironment, seconds: Int64
    ) -> SimulatedAPIAnswer {
        guard case .genuine(let bundle) = PresentedToken(authorization, at: seconds) else {
            return SimulatedAPIAnswer(.unauthenticated)
        }
        do throws(APIRefusal) {
            let target = try APITarget(method, target)
            return try answer(to: target, body, of: bundle, at: environment)
        } catch {
            return SimulatedAPIAnswer(error)
        }
    }

    private func answer(
        to target: APITarget, _ body: [UInt8], of bundle: String,
        at environment: SimulatedEnvironment
    ) throws(APIRefusal) -> SimulatedAPIAnswer {
        switch target.endpoint {
        case .notifications:
            let query = try NotificationQuery(body, in: bundle, at: environment, store.now)
            let page = try NotificationPage(of: query, from: target.page, in: store)
            return SimulatedAPIAnswer(page.fields())
        case .lookup(let order):
            return lookup(order, in: bundle, at: environment)
        case .history(let id), .subscriptions(let id), .appTransaction(let id):
            let known = try account(id, in: bundle, at: environment)
            let number = known.customer.number
            guard known.account.recognition != .accountGone else {
                return SimulatedAPIAnswer(.accountGone, about: number)
            }
            return SimulatedAPIAnswer(try fields(target, known), about: number)
        }
    }

    private func fields(
        _ target: APITarget, _ known: KnownAccount
    ) throws(APIRefusal) -> JSONFields {
        switch target.endpoint {
        case .history: return try HistoryPage(of: known, after: target.page).fields()
        case .subscriptions: return SubscriptionStatuses(known: known).fields()
        default:
            // An app for iOS 6 has no app transaction.
            guard known.account.style == .modern else { throw .noAppTransaction }
            let payload = AppTransactionPayload(account: known).fields()
            return JSONFields([("signedAppTransactionInfo", .text(JWSMint.text(.object(payload))))])
        }
    }

    private func account(
        _ id: String, in bundle: String, at environment: SimulatedEnvironment
    ) throws(APIRefusal) -> KnownAccount {
        guard id.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(id) else {
            throw .invalidID
        }
        guard let known = store.account(with: number, in: bundle, at: environment) else {
            throw .unknownID
        }
        return known
    }

    /// Apple knows orders in production only.
    private func lookup(
        _ order: String, in bundle: String, at environment: SimulatedEnvironment
    ) -> SimulatedAPIAnswer {
        guard environment == .production, let id = OrderID.transaction(order),
            let known = store.account(with: id, in: bundle, at: environment),
            let purchase = known.transactions.first(where: { $0.id == id }),
            OrderID.text(of: purchase) == order
        else { return SimulatedAPIAnswer(JSONFields([("status", .number(1))])) }
        return SimulatedAPIAnswer(
            JSONFields([
                ("status", .number(0)),
                ("signedTransactions", .list([.text(known.signed(purchase))])),
            ]), about: known.customer.number)
    }
}

// Reports of what the rules decided.
extension Pace {
    func report(_ change: AdaptiveRate.Change?, _ server: AppleServer) {
        switch change {
        case .halved(let rate): observe(.rateHalved(server, perSecond: rate))
        case .restored(let rate): observe(.rateRestored(server, perSecond: rate))
        case nil: break
        }
    }

    func report(_ change: OutageBreaker.Change?, of source: AnswerSource, _ attempt: Attempt? = nil)
    {
        switch change {
        case .began: observe(.outageBegan(of: source, cause: attempt?.trouble ?? "not known"))
        case .ended(let duration): observe(.outageEnded(of: source, after: duration))
        case .gaveUp(let duration): observe(.outageGaveUp(of: source, after: duration))
        case nil: break
        }
    }
}

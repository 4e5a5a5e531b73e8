@testable import Reconcile

/// What came of a receipt or of a question about it, without what the receipt holds.
enum ReceiptOutcome: Hashable, Sendable {
    case verified
    case rejected(Rejection)
    case unusable(Unusable)
    case unverified(Unverified)
    /// To be asked again in the second look, so no outcome of a run.
    case refused(Rejection)

    var isUnverified: Bool {
        guard case .unverified = self else { return false }
        return true
    }

    init(_ validation: Validation) {
        switch validation {
        case .verified: self = .verified
        case .rejected(let why): self = .rejected(why)
        case .unusable(let why): self = .unusable(why)
        case .unverified(let why): self = .unverified(why)
        }
    }
}

/// From the columns `outcome` and `cause`.
extension ReceiptOutcome: Decodable {
    private enum Column: String, CodingKey { case outcome, cause }

    private enum Name: String, Decodable { case verified, rejected, unusable, unverified }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: Column.self)
        switch try row.decode(Name.self, forKey: .outcome) {
        case .verified: self = .verified
        case .rejected: self = .rejected(try row.decode(Rejection.self, forKey: .cause))
        case .unusable: self = .unusable(try row.decode(Unusable.self, forKey: .cause))
        case .unverified: self = .unverified(try row.decode(Unverified.self, forKey: .cause))
        }
    }
}

extension Rejection: Decodable {}
extension Unusable: Decodable {}
extension Unverified: Decodable {}

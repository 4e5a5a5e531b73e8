@testable import Reconcile

/// Rows of the team's own tables. Nil is null.
extension TestDatabase {
    /// - Parameter data: base64; by default a receipt of `bundle` that no other id has.
    func store(
        receipt id: String?, of user: String?, bundle: String? = "acme",
        data: StoredText = .ofItsOwn, at: String? = "2026-11-01T00:00:00Z"
    ) async throws {
        let text: String? =
            switch data {
            case .null: nil
            case .text(let text): text
            case .ofItsOwn: Self.receipt(id ?? "", bundle: bundle ?? "acme")
            }
        try await insert([id, user, bundle, text, at], into: "receipts")
    }

    enum StoredText: Sendable {
        case null
        case text(String)
        case ofItsOwn
    }

    /// The receipt that `store` makes for `id`.
    static func receipt(_ id: String, bundle: String = "acme") -> String {
        let payload = ReceiptForge.payload(bundle: bundle, serial: id)
        return String(decoding: Base64.encode(ReceiptForge.receipt(payload)), as: UTF8.self)
    }

    func store(
        entitlement id: String?, of user: String?, to product: String? = "pro.monthly",
        chain: String? = nil, isActive: Bool? = true, expires: String? = nil,
        source: String? = "app_store", updated: String? = "2026-10-01T00:00:00Z"
    ) async throws {
        let active = isActive.map { String($0) }
        try await insert(
            [id, user, product, chain, active, expires, nil, nil, source, updated],
            into: "entitlements")
    }

    func sell(_ product: String, kind: String = "auto_renewable") async throws {
        try await insert([product, kind, nil, nil, nil, nil, nil, nil], into: "products")
    }

    private func insert(_ values: [String?], into table: String) async throws {
        let literals = values.map { value in
            value.map { "'\($0.replacing("'", with: "''"))'" } ?? "null"
        }
        try await execute("insert into team.\(table) values (\(literals.joined(separator: ", ")))")
    }
}

struct ReceiptFile: Sendable {
    enum Form: String, Sendable, CaseIterable {
        /// What Apple issued: PKCS#7, or a property list for an iOS 6 client.
        case genuine
        case signedTransaction, xcode, garbage, empty
    }

    /// Damage to the base64 in transit.
    enum Damage: String, Sendable, CaseIterable {
        case none, wrapped, spaces, urlSafe, unpadded
    }

    /// Among the customer's receipts, from 1.
    let number: Int
    let user: String
    /// Index in the customer's accounts.
    let account: Int
    let bundle: String
    var form = Form.genuine
    var damage = Damage.none
    let storedAt: Moment
}

extension ReceiptFile {
    /// The column's text: base64, possibly damaged, or something else.
    func text(
        of customer: Customer, seed: UInt64, mint: ReceiptMint, as stored: StoredForm = .receipt
    ) -> String {
        switch form {
        case .empty: return ""
        case .garbage:
            let scraps = ["null", "(no receipt)", "bm90IGEgcmVjZWlwdA==", "MIISygYJKoZIhvcNAQc"]
            return scraps[customer.number % scraps.count]
        case .signedTransaction:
            return signedText(of: customer) ?? ""
        case .genuine, .xcode:
            let text =
                switch stored.form(of: self, customer) {
                case .jws: signedText(of: customer)
                case .id: transactionID(of: customer)
                case .receipt, .mixed: nil as String?
                }
            return text ?? damaged(bytes(of: customer, seed: seed, mint: mint))
        }
    }

    private func bytes(of customer: Customer, seed: UInt64, mint: ReceiptMint) -> [UInt8] {
        let account = customer.accounts[self.account]
        let mark = ReceiptMark(
            seed: seed, customer: customer.number, account: self.account, number: number)
        if account.style == .iOS6, let last = account.seen(at: storedAt).last {
            return mint.propertyList(of: last, account, mark: mark)
        }
        var payload = ReceiptPayload(account: account, mark: mark, createdAt: storedAt)
        if form == .xcode { payload.environment = "Xcode" }
        return mint.container(of: payload.encoded())
    }

    private func damaged(_ bytes: [UInt8]) -> String {
        let text = String(decoding: Base64Text.encoded(bytes), as: UTF8.self)
        switch damage {
        case .none: return text
        case .wrapped: return Self.wrapped(text)
        case .spaces: return String(text.map { $0 == "+" ? " " : $0 })
        case .urlSafe: return String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
        case .unpadded: return String(text.prefix { $0 != "=" })
        }
    }

    /// Lines of 76 characters, as mail programs write base64.
    private static func wrapped(_ text: String) -> String {
        var lines: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(rest.prefix(76))
            rest = rest.dropFirst(76)
        }
        return lines.joined(separator: "\r\n")
    }
}

extension SimulatedStore {
    /// Signing takes about a millisecond for each receipt, so call this on several threads.
    /// - Parameter numbers: within `0..<customers`.
    package func receipts(
        of numbers: Range<Int>, as stored: StoredForm = .receipt
    ) -> [SimulatedReceipt] {
        let mint = ReceiptMint()
        return numbers.flatMap { number in
            let customer = customer(number)
            return customer.receipts.map { file in
                SimulatedReceipt(
                    id: "receipt-\(customer.tag(of: file.user))-\(file.number)", user: file.user,
                    bundle: file.bundle,
                    data: file.text(of: customer, seed: seed, mint: mint, as: stored),
                    storedAt: file.storedAt)
            }
        }
    }
}

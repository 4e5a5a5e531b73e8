/// The text output of `inspect`. Control characters are escaped: a terminal must not obey them.
package struct InspectionText: Sendable {
    package let text: String

    /// - Parameter instant: at which the rights of a genuine receipt are listed.
    package init(_ inspection: Inspection, at instant: Instant) {
        var lines = inspection.steps.map { StepLine($0).text }
        lines.append("")
        lines.append(Self.verdict(inspection))
        lines.append("SHA-256 \(inspection.digest.hexadecimal)")
        lines += Self.rights(inspection, at: instant)
        if let payload = inspection.payload {
            lines += ["", "Attributes"]
            lines += payload.attributes.map { Self.line($0) }
            for (index, purchase) in payload.purchases.enumerated() {
                lines += ["", "In-app purchase \(index + 1) of \(payload.purchases.count)"]
                lines += purchase.attributes.map { Self.line($0) }
            }
        } else if !inspection.fields.isEmpty {
            lines += ["", "Fields"]
            lines += inspection.fields.map(Self.line)
        }
        if !inspection.unsignedFields.isEmpty {
            lines += ["", "Not signed, and proof of nothing"]
            lines += inspection.unsignedFields.map(Self.line)
        }
        text = lines.map { $0.escapingControls() + "\n" }.joined()
    }

    private static func verdict(_ inspection: Inspection) -> String {
        if let failed = inspection.failedStep { return "Not genuine: \(failed.detail)." }
        return inspection.isGenuine
            ? "Genuine, as of its signing. It says nothing of what happened since."
            : "Neither shown to be genuine nor to be forged: not every step could be checked."
    }

    private static func rights(_ inspection: Inspection, at instant: Instant) -> [String] {
        guard let rights = inspection.rights(at: instant) else { return [] }
        guard !rights.products.isEmpty else { return ["At \(instant) it gives nothing."] }
        return ["At \(instant) it gives:"]
            + rights.products.map { padded("  \($0.id)", 36) + $0.state.words }
    }

    private static func line(_ attribute: ReceiptAttribute) -> String {
        let value =
            switch attribute.shown {
            case .absent: "–"
            case .text(let text): text.isEmpty ? "\"\"" : text
            case .integer(let number): number.description + (attribute.meaning ?? "")
            case .bytes(let digits): digits
            }
        return "  " + padded(String(attribute.type), 6) + padded(attribute.name ?? "", 31) + value
    }

    private static func line(_ field: (name: String, value: String)) -> String {
        "  " + padded(field.name, 28) + field.value
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

extension Inspection {
    /// Nil when the receipt is not shown to be genuine, or its purchases cannot be parsed.
    func rights(at instant: Instant) -> ShownRights? {
        guard isGenuine, let payload, let receipt = payload.receipt else { return nil }
        return ShownRights(of: receipt, kinds: payload.kinds(excluding: []), at: instant)
    }
}

extension ReceiptAttribute {
    fileprivate var meaning: String? {
        // 1707 is the kind of the product.
        guard type == 1_707, case .integer(let number) = shown else { return nil }
        switch number {
        case 0: return " (non-consumable)"
        case 1: return " (consumable)"
        case 2: return " (non-renewing)"
        case 3: return " (auto-renewable)"
        default: return nil
        }
    }
}

/// The text output of `inspect` for a JWS. Control characters are escaped.
package struct JWSText: Sendable {
    package let text: String

    package init(_ inspection: JWSInspection) {
        var lines = inspection.steps.map { StepLine($0, width: Self.width).text }
        lines.append("")
        lines.append(Self.verdict(inspection))
        lines.append("SHA-256 \(inspection.digest.hexadecimal)")
        lines += Self.fields(inspection, named: inspection.kind.title)
        for content in inspection.contents {
            guard let inner = content.inspection else { continue }
            lines += ["", "\(content.name), signed by itself"]
            lines += inner.steps.map { StepLine($0, width: Self.width).text }
            lines += Self.fields(inner, named: inner.kind.title)
        }
        text = lines.map { $0.escapingControls() + "\n" }.joined()
    }

    /// The longest name of a step is `intermediate marker`.
    private static let width = 21

    private static func verdict(_ inspection: JWSInspection) -> String {
        if let failed = inspection.failedStep { return "Not genuine: \(failed.detail)." }
        return inspection.isGenuine
            ? "Genuine, as of its signing. It says nothing of what happened since."
            : "Not shown to be genuine: not every step could be checked."
    }

    private static func fields(_ inspection: JWSInspection, named title: String) -> [String] {
        ["", inspection.isGenuine ? title : "\(title), not verified: proof of nothing"]
            + inspection.fields.map { field in
                "  " + field.name + String(repeating: " ", count: max(1, 34 - field.name.count))
                    + shown(field)
            }
    }

    private static func shown(_ field: PayloadField) -> String {
        guard let value = field.value else { return "–" }
        guard !field.isSignedString else { return "a JWS of \(value.utf8.count) bytes" }
        let instant = field.instant.map { " (\($0))" } ?? ""
        return value.isEmpty ? "\"\"" : value + instant
    }
}

extension SignedKind {
    fileprivate var title: String {
        switch self {
        case .transaction: "Transaction"
        case .renewalInfo: "Renewal info"
        case .appTransaction: "App transaction"
        case .notification: "Notification"
        case .other: "Payload"
        }
    }
}

/// The JSON output of `inspect`. `reports/README.md` describes it; later versions may add keys, but
/// do not move or rename any.
package struct InspectionJSON: Sendable {
    package let bytes: [UInt8]

    /// - Parameter instant: at which the rights of a genuine receipt are listed.
    package init(_ inspection: Inspection, at instant: Instant) {
        let certificates = inspection.certificates.map { PrintedJSON.string($0) }
        let document = PrintedJSON.object([
            ("inspection_version", .integer(1)),
            ("genuine", .boolean(inspection.isGenuine)),
            ("failed_step", PrintedJSON(inspection.failedStep?.name.rawValue)),
            ("form", .string(inspection.form.rawValue)),
            ("bytes", .integer(inspection.byteCount)),
            ("sha256", .string(inspection.digest.hexadecimal)),
            ("steps", .array(inspection.steps.map(Self.step))),
            ("certificates", .array(certificates)),
            ("as_of", .string("\(instant)")),
            ("gives", inspection.rights(at: instant).map(Self.rights) ?? .null),
            ("attributes", .array(Self.attributes(of: inspection))),
            ("unsigned", .array(inspection.unsignedFields.map(Self.field))),
            (
                "in_app",
                .array(
                    inspection.payload?.purchases.map { purchase in
                        .array(purchase.attributes.map(Self.attribute))
                    } ?? [])
            ),
        ])
        bytes = document.bytes
    }

    private static func rights(_ rights: ShownRights) -> PrintedJSON {
        .array(
            rights.products.map { product in
                .object([
                    ("product_id", .string(product.id.text)),
                    ("state", .string(product.state.words)),
                ])
            })
    }

    static func step(_ step: InspectionStep) -> PrintedJSON {
        .object([
            ("step", .string(step.name.rawValue)), ("verdict", .string(step.result.rawValue)),
            ("detail", .string(step.detail)),
        ])
    }

    private static func attributes(of inspection: Inspection) -> [PrintedJSON] {
        inspection.payload?.attributes.map(attribute)
            ?? inspection.fields.map(Self.field)
    }

    private static func field(_ field: (name: String, value: String)) -> PrintedJSON {
        .object([
            ("type", .null), ("name", .string(field.name)), ("encoding", .string("text")),
            ("value", .string(field.value)),
        ])
    }

    private static func attribute(_ attribute: ReceiptAttribute) -> PrintedJSON {
        let (encoding, value): (String, String?) =
            switch attribute.shown {
            case .absent: ("absent", nil)
            case .text(let text): ("text", text)
            case .integer(let number): ("integer", String(number))
            case .bytes(let digits): ("hex", digits)
            }
        return .object([
            ("type", .integer(Int(attribute.type))), ("name", PrintedJSON(attribute.name)),
            ("encoding", .string(encoding)), ("value", PrintedJSON(value)),
        ])
    }
}

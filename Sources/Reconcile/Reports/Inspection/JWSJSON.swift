/// The JSON output of `inspect` for a JWS: the keys of a receipt's, and more. `reports/README.md`
/// describes it.
package struct JWSJSON: Sendable {
    package let bytes: [UInt8]

    package init(_ inspection: JWSInspection) {
        bytes =
            PrintedJSON.object(
                [("inspection_version", .integer(1))] + Self.members(of: inspection)
            ).bytes
    }

    private static func members(of inspection: JWSInspection) -> [(String, PrintedJSON)] {
        [
            ("genuine", .boolean(inspection.isGenuine)),
            ("failed_step", PrintedJSON(inspection.failedStep?.name.rawValue)),
            ("form", .string("jws")),
            ("kind", .string(inspection.kind.rawValue)),
            ("environment", PrintedJSON(inspection.environment)),
            ("bundle_id", PrintedJSON(inspection.bundle?.text)),
            ("bytes", .integer(inspection.byteCount)),
            ("sha256", .string(inspection.digest.hexadecimal)),
            ("steps", .array(inspection.steps.map(InspectionJSON.step))),
            ("certificates", .array(inspection.certificates.map { .string($0) })),
            ("attributes", .array(inspection.fields.map(field))),
            ("contents", .array(inspection.contents.map(content))),
        ]
    }

    private static func field(_ field: PayloadField) -> PrintedJSON {
        .object([
            ("type", .null), ("name", .string(field.name)),
            ("encoding", .string(field.encoding.rawValue)), ("value", PrintedJSON(field.value)),
        ])
    }

    private static func content(_ content: JWSInspection.Content) -> PrintedJSON {
        guard let inner = content.inspection else {
            return .object([("name", .string(content.name)), ("genuine", .boolean(false))])
        }
        return .object([("name", .string(content.name))] + members(of: inner))
    }
}

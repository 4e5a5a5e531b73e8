/// The parts of a workbook other than its sheets (ECMA-376, parts 1 and 2), by name in the zip.
enum WorkbookParts {
    struct Sheet {
        let title: String
        /// Of its part.
        let number: Int
        /// What is printed.
        let area: String
        /// Whether the first row is repeated on each printed page.
        var hasHeader = false
    }

    /// - Parameter sheets: in the order in which they are shown.
    static func all(_ sheets: [Sheet]) -> [(name: String, text: String)] {
        [
            ("[Content_Types].xml", contentTypes(sheets.count)), ("_rels/.rels", packageRelations),
            ("xl/workbook.xml", workbook(sheets)),
            ("xl/_rels/workbook.xml.rels", workbookRelations(sheets.count)),
            ("xl/styles.xml", WorkbookStyle.stylesheet),
        ]
    }

    private static let declaration =
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    private static let office =
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    private static let package = "http://schemas.openxmlformats.org/package/2006/"
    private static let type = "application/vnd.openxmlformats-officedocument.spreadsheetml."

    private static func contentTypes(_ sheets: Int) -> String {
        let parts =
            (1...sheets).map { ("/xl/worksheets/sheet\($0).xml", "worksheet") }
            + [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
        let lines = parts.map { "<Override PartName=\"\($0)\" ContentType=\"\(type)\($1)+xml\"/>" }
        return declaration + "<Types xmlns=\"\(package)content-types\">"
            + "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package"
            + ".relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/>"
            + lines.joined() + "</Types>"
    }

    private static let packageRelations =
        declaration + "<Relationships xmlns=\"\(package)relationships\"><Relationship Id=\"rId1\""
        + " Type=\"\(office)/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"

    private static func workbook(_ shown: [Sheet]) -> String {
        let sheets = shown.map { sheet in
            let number = sheet.number
            return "<sheet name=\"\(sheet.title)\" sheetId=\"\(number)\" r:id=\"rId\(number)\"/>"
        }
        let areas = shown.enumerated().map { index, sheet in
            name("Print_Area", of: sheet, index, sheet.area)
        }
        let headers = shown.enumerated().filter(\.element.hasHeader).map { index, sheet in
            name("Print_Titles", of: sheet, index, "$1:$1")
        }
        let names = areas + headers
        return declaration + "<workbook xmlns=\"\(main)\" xmlns:r=\"\(office)\"><sheets>"
            + sheets.joined() + "</sheets><definedNames>" + names.joined()
            + "</definedNames><calcPr fullCalcOnLoad=\"1\"/></workbook>"
    }

    private static func name(
        _ name: String, of sheet: Sheet, _ index: Int, _ range: String
    ) -> String {
        "<definedName name=\"_xlnm.\(name)\" localSheetId=\"\(index)\">'\(sheet.title)'!\(range)"
            + "</definedName>"
    }

    private static func workbookRelations(_ sheets: Int) -> String {
        let relations =
            (1...sheets).map {
                ("rId\($0)", "worksheet", "worksheets/sheet\($0).xml")
            } + [("rId\(sheets + 1)", "styles", "styles.xml")]
        let lines = relations.map {
            "<Relationship Id=\"\($0)\" Type=\"\(office)/\($1)\" Target=\"\($2)\"/>"
        }
        return declaration + "<Relationships xmlns=\"\(package)relationships\">" + lines.joined()
            + "</Relationships>"
    }
}

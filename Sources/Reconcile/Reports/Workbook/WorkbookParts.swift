/// The parts of a workbook other than its sheets (ECMA-376, parts 1 and 2), by name in the zip.
enum WorkbookParts {
    static func all(_ titles: [String]) -> [(name: String, text: String)] {
        [
            ("[Content_Types].xml", contentTypes(titles.count)), ("_rels/.rels", packageRelations),
            ("xl/workbook.xml", workbook(titles)),
            ("xl/_rels/workbook.xml.rels", workbookRelations(titles.count)),
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

    /// The header row is repeated on each printed page.
    private static func workbook(_ titles: [String]) -> String {
        let sheets = titles.enumerated().map { index, title in
            "<sheet name=\"\(title)\" sheetId=\"\(index + 1)\" r:id=\"rId\(index + 1)\"/>"
        }
        let names = titles.enumerated().dropFirst().map { index, title in
            "<definedName name=\"_xlnm.Print_Titles\" localSheetId=\"\(index)\">"
                + "'\(title)'!$1:$1</definedName>"
        }
        return declaration + "<workbook xmlns=\"\(main)\" xmlns:r=\"\(office)\"><sheets>"
            + sheets.joined() + "</sheets><definedNames>" + names.joined()
            + "</definedNames><calcPr fullCalcOnLoad=\"1\"/></workbook>"
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

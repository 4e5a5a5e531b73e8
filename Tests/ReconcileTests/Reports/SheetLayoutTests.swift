import Testing

@testable import Reconcile

@Suite("The layout of a sheet")
struct SheetLayoutTests {
    @Test("Headings are wrapped between words, and their row is as tall as they need")
    func wraps() {
        let head: [WorkbookCell] = [.heading("Money"), .numberHeading("At recorded prices")]
        let sheet = FreeSheet("Summary", [head, [.text("Leak"), .decimal("9.99")]])
        #expect(sheet.widths == [24, 10])
        #expect(sheet.height(of: head) == 45)
        #expect(sheet.height(of: [.text("Leak"), .decimal("9.99")]) == nil)
    }

    @Test("A text may reach into empty cells, but not into others")
    func reaches() {
        let run = WorkbookCell.text("20261120T020000Z-000001")
        #expect(FreeSheet("Summary", [[.text("Run"), run]]).widths == [24, 9])
        #expect(FreeSheet("Summary", [[.text("Run"), run, .integer(1)]]).widths == [24, 23, 9])
    }

    @Test("The first sheet is printed on one page")
    func isOnePage() {
        let sheet = FreeSheet("Summary", [[.text("Run")]], isOnePage: true)
        #expect(sheet.end.contains("orientation=\"landscape\" fitToWidth=\"1\" fitToHeight=\"1\""))
        #expect(sheet.area == "$A$1:$A$1")
    }
}

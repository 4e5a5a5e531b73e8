/// A module imports only what the table allows; layer 0 imports nothing.
enum ImportRule {
    static func violations(in file: SwiftFile) -> [Violation] {
        guard let room = file.room else { return [] }
        return file.imports.compactMap { module, line in
            rule(for: module, in: room).map {
                file.violation($0, line: line, "\(room.name) imports `\(module)`")
            }
        }
    }

    private static func rule(for module: String, in room: Room) -> HouseRule? {
        if room.mayImport.contains(module) { return nil }
        if room.floor == 0 { return .arrow(.groundFloorUp) }
        guard FloorPlan.ownModules.contains(module) else { return nil }
        if room.name == "AppStoreSimulator" { return .arrow(.simulatorToUs) }
        return FloorPlan.cLibraries.contains(module)
            ? .limit(.cLibrary) : HouseRule(from: room, to: module)
    }
}

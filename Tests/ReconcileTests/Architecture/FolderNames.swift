/// The rule about names: which folder a name belongs to, and whether a file may use it.
struct FolderNames: Sendable {
    typealias Declaration = SourceNames.Declaration

    private let table: FolderTable
    /// What the files of the index say, by path.
    private var scans: [String: SourceNames] = [:]
    private var top: [String: [Declaration]] = [:]
    /// By type and name.
    private var members: [String: [String: [Declaration]]] = [:]
    private var membersOfAnyType: [String: [Declaration]] = [:]
    private var protocols: [String: Set<String>] = [:]

    init(_ files: [SourceFile], _ table: FolderTable) {
        self.table = table
        for file in files where !file.isSQL {
            guard let module = file.module else { continue }
            let names = SourceNames(file, module)
            scans[file.path] = names
            add(names)
        }
    }

    private mutating func add(_ names: SourceNames) {
        for declaration in names.declarations {
            if let owner = declaration.owner {
                members[owner, default: [:]][declaration.name, default: []].append(declaration)
                membersOfAnyType[declaration.name, default: []].append(declaration)
            } else {
                top[declaration.name, default: []].append(declaration)
            }
        }
        protocols.merge(names.protocols) { $0.union($1) }
    }

    /// A name that a file uses of other folders: where it may come from.
    struct Foreign: Hashable {
        let name: String
        let declarations: [Declaration]
    }

    func violations(in file: SourceFile) -> [String] {
        foreign(in: file).filter { permissions(for: $0, in: file).isEmpty }.map { foreign in
            let others = Set(foreign.declarations.map(\.module)).sorted()
            let owners = others.joined(separator: ", ")
            return "\(file.module ?? "") names `\(foreign.name)` of \(owners)."
        }
    }

    /// The permissions that a file uses for a name.
    private func permissions(
        for foreign: Foreign, in file: SourceFile
    ) -> [FolderTable.Permission] {
        foreign.declarations.compactMap { declaration in
            table.permission(
                for: [declaration.name, declaration.root], of: declaration.module, in: file)
        }
    }

    /// Permissions of the table that no file uses.
    func unusedPermissions(in files: [SourceFile]) -> [String] {
        var uses: [String: Set<FolderTable.Permission>] = [:]
        for file in files where !file.isSQL {
            guard let module = file.module else { continue }
            for foreign in foreign(in: file) {
                for permission in permissions(for: foreign, in: file) {
                    uses[module, default: []].formUnion(used(permission, foreign, file))
                }
            }
            for name in file.imports { uses[module, default: []].insert(.init(folder: name)) }
        }
        return table.rows.values.sorted { $0.name < $1.name }.flatMap { row in
            let imports = row.imports.map { FolderTable.Permission(folder: $0) }
            return (row.permissions.flatMap(\.parts) + imports)
                .filter { uses[row.name]?.contains($0) != true }
                .map { "\(row.name) does not use \($0.text)." }
        }
    }

    /// The parts of a permission that a name makes use of.
    private func used(
        _ permission: FolderTable.Permission, _ foreign: Foreign, _ file: SourceFile
    ) -> [FolderTable.Permission] {
        permission.parts.filter { part in
            (part.files.isEmpty || part.files.contains(file.name))
                && (part.names.isEmpty
                    || foreign.declarations.contains { declaration in
                        part.names.contains(declaration.name)
                            || part.names.contains(declaration.root)
                    })
        }
    }

    /// The names of a file that no declaration of its own folder explains.
    private func foreign(in file: SourceFile) -> Set<Foreign> {
        guard let module = file.module, !["SQL", "AppStoreSimulator"].contains(module) else {
            return []
        }
        let names = scans[file.path] ?? SourceNames(file, module)
        var index = self
        if scans[file.path] == nil { index.add(names) }
        return Set(
            names.uses.compactMap { use in
                let found = index.declarations(of: use, in: names).filter {
                    !$0.isPrivate || $0.path == file.path
                }
                guard !found.contains(where: { $0.module == module }) else { return nil }
                let others = found.filter { !FolderTable.targets.contains($0.module) }
                return others.isEmpty ? nil : Foreign(name: use.name, declarations: others)
            })
    }

    private func declarations(of use: SourceNames.Use, in names: SourceNames) -> [Declaration] {
        guard let qualifier = use.qualifier else { return unqualified(use, in: names) }
        let exact = members(of: qualifier, named: use.name)
        guard exact.isEmpty else { return exact }
        // Whose member it is, is known if all that have it were extended by other folders.
        let all = membersOfAnyType[use.name] ?? []
        return all.allSatisfy(isForeignExtension) ? all : []
    }

    private func isForeignExtension(_ declaration: Declaration) -> Bool {
        declaration.isPrivate
            || top[declaration.root]?.contains { $0.module == declaration.module } != true
    }

    private func unqualified(_ use: SourceNames.Use, in names: SourceNames) -> [Declaration] {
        var next: Int? = use.scope
        while let index = next {
            let scope = names.scopes[index]
            if scope.names.contains(use.name) { return [] }
            if let type = scope.type {
                let found = members(of: type, named: use.name)
                if !found.isEmpty { return found }
            }
            next = scope.parent
        }
        return top[use.name] ?? []
    }

    /// Members of a type, and of what it conforms to.
    private func members(of type: String, named name: String) -> [Declaration] {
        var seen: Set<String> = []
        var open = [type]
        var found: [Declaration] = []
        while let type = open.popLast() {
            guard seen.insert(type).inserted else { continue }
            found += members[type]?[name] ?? []
            open += protocols[type] ?? []
        }
        return found
    }
}

extension FolderTable.Permission {
    /// One for each name or file.
    var parts: [Self] {
        if !names.isEmpty { return names.sorted().map { Self(folder: folder, names: [$0]) } }
        if !files.isEmpty { return files.sorted().map { Self(folder: folder, files: [$0]) } }
        return [self]
    }

    var text: String {
        let limits = names.sorted() + files.sorted().map { "in " + $0 }
        return folder + (limits.isEmpty ? "" : " (\(limits.joined(separator: ", ")))")
    }
}

/// What the team's view of stored receipts reads.
enum ReceiptSource: Sendable {
    case table
    case nestedView
    case materializedView
    case partitionedTable
    case partition
    case foreignTable
    /// PostgreSQL knows the tables that it reads.
    case parsedFunction
    /// Its body is text, so that nobody knows the tables that it reads.
    case opaqueFunction

    /// Makes the view read it, instead of the table.
    var sql: String {
        switch self {
        case .table: ""
        case .nestedView:
            "create view team.nested as table team.receipts;" + Self.view(of: "nested")
        case .materializedView:
            "create materialized view team.kept as table team.receipts;" + Self.view(of: "kept")
        case .partitionedTable: Self.partitions + Self.view(of: "parted")
        case .partition: Self.partitions + Self.view(of: "rest")
        case .foreignTable:
            """
            create foreign data wrapper nowhere;
            create server afar foreign data wrapper nowhere;
            create foreign table team.afar (
                id text, who text, bundle text, data text, at timestamptz) server afar;
            """ + Self.view(of: "afar")
        case .parsedFunction:
            """
            create function team.shown() returns setof team.receipts stable
            begin atomic select * from team.receipts; end;
            """ + Self.view(of: "shown()")
        case .opaqueFunction:
            """
            create function team.shown() returns table (
                id text, who text, bundle text, data text, at timestamptz)
            language sql stable as 'select * from team.receipts';
            """ + Self.view(of: "shown()")
        }
    }

    private static let partitions = """
        create table team.parted (like team.receipts) partition by list (bundle);
        create table team.rest partition of team.parted default;
        """

    private static func view(of source: String) -> String {
        """
        drop view reconcile.stored_receipts;
        create view reconcile.stored_receipts as
        select id as receipt_id, who as user_id, bundle as bundle_id, data as receipt_data,
            at as stored_at from team.\(source);
        """
    }
}

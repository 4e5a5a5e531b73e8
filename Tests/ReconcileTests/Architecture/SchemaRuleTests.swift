import Testing

@Suite("An SQL statement")
struct SchemaRuleTests {
    private func violations(_ text: String, path: String = "sql/queries/a.sql") -> [String] {
        HouseRules.violations(in: [SourceFile(path, text)]).map(\.what)
    }

    @Test(
        "A statement that writes outside schema reconcile is refused",
        arguments: [
            ("insert into app.a values (1)", "`insert` writes to `app.a`"),
            ("update only app.a set b = 1", "`update` writes to `app.a`"),
            ("delete from \"App\".a", "`delete` writes to `App.a`"),
            ("truncate reconcile.a, app.b", "`truncate` writes to `app.b`"),
            (
                "create table if not exists a (b int)",
                "`create` writes to `a`, which names no schema"
            ),
            ("create or replace view app.a as select 1", "`create` writes to `app.a`"),
            ("create unique index concurrently a on app.b (c)", "`create` writes to `app.b`"),
            (
                "create trigger a before update on app.b execute function c()",
                "`create` writes to `app.b`"
            ),
            ("create schema app", "`create` writes to schema `app`"),
            (
                "create extension pgcrypto",
                "`create` writes to `extension`, which lies in no schema"
            ),
            ("create role somebody", "`create` writes to role `somebody`"),
            ("alter table if exists app.a add b int", "`alter` writes to `app.a`"),
            (
                "alter default privileges in schema app grant select on tables to b",
                "`alter` writes to schema `app`"
            ),
            ("drop view if exists app.a", "`drop` writes to `app.a`"),
            ("copy app.a (b, c) from stdin", "`copy` writes to `app.a`"),
            ("merge into app.a using b on true", "`merge` writes to `app.a`"),
            ("select 1;\nDELETE FROM app.a", "`delete` writes to `app.a`"),
            (
                "with a as (delete from app.b returning c) select c from a",
                "`delete` writes to `app.b`"
            ),
            ("with a as (select 1) insert into app.b select 1", "`insert` writes to `app.b`"),
            ("do $$ begin update app.a set b = 1; end $$", "`update` writes to `app.a`"),
            (
                "do $b$ begin if c then drop table app.a; end if; end $b$",
                "`drop` writes to `app.a`"
            ),
            ("do $$ begin execute 'drop table app.a'; end $$", "`drop` writes to `app.a`"),
            ("do $$ begin execute format('drop table %I.a', b); end $$", "`drop` writes to `%.a`"),
        ])
    func isRefused(text: String, what: String) { #expect(violations(text) == [what]) }

    @Test(
        "A statement that reads, or writes to schema reconcile, is allowed",
        arguments: [
            "select a from app.b for update", "select a from app.b for no key update of b",
            "insert into reconcile.a select b from app.c on conflict (d) do update set e = 1",
            "update reconcile.a set b = (select c from app.d)",
            "delete from reconcile.a using app.b",
            "-- update app.a\n/* delete from app.a /* nested */ */ select 1",
            "select 'it''s app.a', e'\\'', $1::text", "copy (select 1) to stdout",
            "copy app.a to stdout",
            "copy reconcile.a (b) from stdin", "create schema if not exists reconcile",
            "create table reconcile.a (b int references c on delete cascade on update cascade)",
            "create index a on reconcile.b (c)", "drop index reconcile.a",
            "create trigger a after insert or update or delete on reconcile.b execute function c()",
            "create temporary table a (b int); copy a from stdin; insert into a values (1)",
            "create table pg_temp.a (b int)",
            "grant select, insert, update, truncate on app.a to b",
            "do $$ begin create role reconcile_job; exception when others then null; end $$",
            "alter default privileges in schema reconcile grant select on tables to reconcile_job",
            "create policy a on reconcile.b",
            "alter table reconcile.a alter column b drop not null",
        ])
    func isAllowed(text: String) { #expect(violations(text) == []) }

    @Test("Only reference_app.sql and reference/ may build and fill schema app")
    func isExempt() {
        let text = "create schema app; create table app.a (b int)"
        #expect(violations(text, path: "sql/reference_app.sql") == [])
        #expect(violations(text, path: "sql/reference/fill_app.sql") == [])
        #expect(violations(text, path: "sql/migrations/0001_reference_app.sql").count == 2)
    }
}

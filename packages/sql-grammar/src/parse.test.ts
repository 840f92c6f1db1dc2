import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadGrammar } from './load-grammar.ts'
import { parseSql } from './parse.ts'
import { MAX_SQL_LENGTH } from './run-grammar.ts'
import { splitStatements } from './split.ts'

const texts = async (sql: string) => {
  const { statements, errors } = await parseSql(sql)
  return { statements: statements.map(({ start, end }) => sql.slice(start, end)), errors }
}

test('statements are told by their place, without what stands around them', async () => {
  const sql = "  -- first\n select 'é😀;' ;; /* ; */ update t set a = ';' where b = $$;$$ ;\nselect 2 -- end"
  expect((await texts(sql)).statements).toEqual([
    "select 'é😀;'",
    "update t set a = ';' where b = $$;$$",
    'select 2 -- end',
  ])
})

test.each(['', ' ', '-- nothing', ';', ';;\n;'])('%j has no statement', async (sql) => {
  expect(await parseSql(sql)).toEqual({ statements: [], errors: [] })
})

test('a faulty statement is told by its place and hides no other', async () => {
  const sql = "select 'é😀'; selec 1; select 3; update t sat a = 1"
  const { statements, errors } = await texts(sql)
  expect(statements).toEqual(["select 'é😀'", 'select 3'])
  expect(errors).toEqual([
    { message: 'syntax error at or near "selec"', position: sql.indexOf('selec 1') },
    { message: 'syntax error at or near "a"', position: sql.lastIndexOf('a =') },
  ])
})

test.each([
  ["select 'é😀' frm t y", 't y', 'syntax error at or near "t"'],
  ["select 1; select 'open", "'open", `unterminated quoted string at or near "'open"`],
  ['select 1; select /* open', '/*', 'unterminated /* comment at or near "/* open"'],
  ['select "ü" from "open', '"open', 'unterminated quoted identifier at or near ""open"'],
  ['select 1 from', '', 'syntax error at end of input'],
])('%s', async (sql, at, message) => {
  const position = at === '' ? sql.length : sql.lastIndexOf(at)
  expect((await parseSql(sql)).errors).toEqual([{ message, position }])
})

test.each([
  ['select 1', 'read'],
  ['values (1)', 'read'],
  ['with a as (select 1) select * from a', 'read'],
  ['explain delete from t', 'read'],
  ['explain (analyze false) delete from t', 'read'],
  ['explain analyze delete from t', 'write'],
  ['explain (analyze) select 1', 'read'],
  ['copy t to stdout', 'read'],
  ["copy t to '/tmp/x'", 'utility'],
  ["copy t to program 'cat'", 'utility'],
  ['copy t from stdin', 'write'],
  ['select 1 from t for update', 'write'],
  ['select * from (select 1 from t for share) s', 'write'],
  ['with a as (delete from t returning *) select * from a', 'write'],
  ['insert into t values (1)', 'write'],
  ['update t set a = 1', 'write'],
  ['delete from t', 'write'],
  ['merge into t using u on true when matched then delete', 'write'],
  ['truncate t', 'write'],
  ['refresh materialized view v', 'write'],
  ['prepare p as delete from t', 'write'],
  ['declare c cursor for select 1', 'read'],
  ['create table t (a int)', 'ddl'],
  ['create table t as select 1', 'ddl'],
  ['select 1 into t', 'ddl'],
  ['create index on t (a)', 'ddl'],
  ['create view v as select 1', 'ddl'],
  ['alter table t add a int', 'ddl'],
  ['drop table t', 'ddl'],
  ['grant select on t to r', 'ddl'],
  ['create role r', 'ddl'],
  ["comment on table t is 'x'", 'ddl'],
  ['create function f() returns int return 1', 'ddl'],
  ['alter table t rename to u', 'ddl'],
  ['begin', 'utility'],
  ['commit', 'utility'],
  ["set work_mem = '1MB'", 'utility'],
  ['show all', 'utility'],
  ['do $$ begin end $$', 'utility'],
  ['call p()', 'utility'],
  ['vacuum t', 'utility'],
  ['lock table t', 'utility'],
  ['listen c', 'utility'],
  ['execute p', 'utility'],
])('%s: %s', async (sql, kind) => {
  expect((await parseSql(sql)).statements.map((statement) => statement.kind)).toEqual([kind])
})

test('what can not be read is refused with a sentence, and the next text is read', async () => {
  for (const sql of [
    `select ${'1+'.repeat(60_000)}1`,
    `select ${'('.repeat(100_000)}`,
    `${' '.repeat(MAX_SQL_LENGTH)} `,
  ]) {
    expect((await parseSql(sql)).errors).toHaveLength(1)
    expect((await texts('select 1')).statements).toEqual(['select 1'])
  }
  expect(await parseSql('select 1\0; drop table t')).toEqual({
    statements: [],
    errors: [{ message: 'SQL can not hold a character with the number 0.', position: 8 }],
  })
})

test('a function in standard SQL is one statement', async () => {
  const body = 'create function f() returns int begin atomic; select case when true then 1 end; select 2; end'
  const spans = splitStatements(`${body}; selec 1; select 3`)
  expect(spans?.map(({ start, end }) => `${body}; selec 1; select 3`.slice(start, end))).toEqual([
    body,
    'selec 1',
    'select 3',
  ])
})

test('whatever the literals hold, statements are cut where they end', async () => {
  const literal = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(literal, { minLength: 1, maxLength: 6 }), async (literals) => {
      const statements = literals.map((text, index) =>
        index % 2 === 0 ? `select '${text.replaceAll("'", "''")}'` : `select 1 as "x${text.replaceAll('"', '""')}"`,
      )
      expect(await texts(statements.join(';\n'))).toEqual({ statements, errors: [] })
      const withFault = await texts([...statements, 'selec'].join('; '))
      expect(withFault.statements).toEqual(statements)
      expect(withFault.errors[0]?.position).toBe(statements.join('; ').length + 2)
    }),
    { numRuns: 60 },
  )
})

test('parentheses without an end are refused, and the parser is still the same', async () => {
  const before = await loadGrammar()
  const deep = `select ${'('.repeat(90_000)}1${')'.repeat(90_000)}`
  expect((await parseSql(deep)).errors[0]?.message).toContain('nested too deeply')
  expect(await loadGrammar()).toBe(before)
  const read = await parseSql(`select ${'('.repeat(1000)}1${')'.repeat(1000)}`)
  expect(read.errors).toEqual([])
})

import { parseSql } from '@trellis/sql-grammar/parse'
import { describe, expect, test } from 'vitest'
import { expandMetaCommand, expandMetaLines, findMetaCommandAt } from './meta-commands.ts'

describe('psql commands', () => {
  test.each([
    '\\d',
    '\\d orders',
    '\\d+ shop.ord*',
    '\\dt',
    '\\dv x',
    '\\dm',
    '\\di',
    '\\ds',
    '\\dn',
    '\\df',
    '\\df low*',
    '\\dT',
    '\\du',
    '\\l',
    '\\sf net',
    '\\sv recent',
    '\\conninfo',
    '\\?',
    '\\x',
    '\\timing',
    '\\nothing',
    "\\d o'x; drop table y",
  ])('%s becomes statements that only read', async (line) => {
    const statements = expandMetaCommand(line)
    expect(statements.length).toBeGreaterThan(0)
    for (const sql of statements) {
      const { statements: parsed, errors } = await parseSql(sql)
      expect(errors).toEqual([])
      expect(parsed.map(({ kind }) => kind)).toEqual(['read'])
    }
  })
  test('a table has columns, indexes and constraints', () => {
    expect(expandMetaCommand('\\d orders')).toHaveLength(3)
  })
  test('patterns are those of psql', () => {
    const list = (pattern: string) => expandMetaCommand(`\\dt ${pattern}`).join('')
    expect(list('Shop.Ord*')).toContain("and c.relname ~ '^(ord.*)$'\n  and n.nspname ~ '^(shop)$'")
    expect(list('"Odd.Name"')).toContain(String.raw`and c.relname ~ '^(Odd\.Name)$'`)
    expect(list("o'x")).toContain("'^(o''x)$'")
  })
  test('are found at the cursor and expanded in a text', async () => {
    const sql = 'select 1\n\\dn\nselect 2'
    expect(findMetaCommandAt(sql, 10)).toEqual({ start: 9, end: 12 })
    expect(findMetaCommandAt(sql, 3)).toBeUndefined()
    const { statements, errors } = await parseSql(expandMetaLines(sql))
    expect(errors).toEqual([])
    expect(statements).toHaveLength(3)
  })
})

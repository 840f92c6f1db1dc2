import { expect, test } from 'vitest'
import { listReferences } from './list-references.ts'
import { parseSql } from './parse.ts'
import { quoteName } from './quote-name.ts'
import { runScanner } from './run-grammar.ts'

test.each([
  ['orders', 'orders'],
  ['_x9', '_x9'],
  ['Orders', '"Orders"'],
  ['order', '"order"'],
  ['user', '"user"'],
  ['coalesce', '"coalesce"'],
  ['name', 'name'],
  ['9lives', '"9lives"'],
  ['with space', '"with space"'],
  ['say "hi"', '"say ""hi"""'],
  ['größe', '"größe"'],
])('%s becomes %s', (name, expected) => {
  expect(quoteName(name)).toBe(expected)
})

test('whatever its name is, the table is found again', async () => {
  const words = 'select user table order group limit json values left column all name data key day text date "a"" b'
  for (const name of [...words.split(' '), 'A B', '--', "';", '/*']) {
    const { statements, errors } = await parseSql(
      `select ${quoteName(name)} from ${quoteName(name)}.${quoteName(name)}`,
    )
    expect(errors, name).toEqual([])
    expect(listReferences(statements[0]!).tables, name).toMatchObject([{ schema: name, name }])
  }
})

test('a word that the scanner knows as more than a plain name is quoted', async () => {
  const tokens = await runScanner('analyse merge_action xmltable window fetch lateral system_user')
  for (const { text } of tokens ?? []) expect(quoteName(text)).toBe(`"${text}"`)
})

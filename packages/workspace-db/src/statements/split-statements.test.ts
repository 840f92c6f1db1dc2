import { expect, test } from 'vitest'
import { getFirstKeyword, splitStatements } from './split-statements.ts'

test.each<[string, string[]]>([
  ['', []],
  ['  -- nothing; at all\n /* ; /* ; */ ; */ ; ;', []],
  ['select 1', ['select 1']],
  ['select 1; select 2 ;\n', ['select 1', 'select 2']],
  [`select ';', ";", 'it''s; fine' ; select 2`, [`select ';', ";", 'it''s; fine'`, 'select 2']],
  [String.raw`select E'a\';b' ; select 2`, [String.raw`select E'a\';b'`, 'select 2']],
  [String.raw`select 'a\' ; select 2`, [String.raw`select 'a\'`, 'select 2']],
  ['do $$ begin perform 1; end $$; select 2', ['do $$ begin perform 1; end $$', 'select 2']],
  ['do $a$ select $$;$$; $a$; select 2', ['do $a$ select $$;$$; $a$', 'select 2']],
  ['select a$b$c; select 2', ['select a$b$c', 'select 2']],
  ['select $1; select 2', ['select $1', 'select 2']],
  ['select 1 -- a; b\n; select 2', ['select 1 -- a; b', 'select 2']],
  [
    'create function f() returns int begin atomic select case when true then 1 end; select 2; end; select 3',
    ['create function f() returns int begin atomic select case when true then 1 end; select 2; end', 'select 3'],
  ],
  [`select 'never ends; select 2`, [`select 'never ends; select 2`]],
])('%j', (text, statements) => {
  expect(splitStatements(text).map((splitStatement) => splitStatement.text)).toEqual(statements)
  for (const { text: piece, offset } of splitStatements(text)) expect(text.slice(offset)).toContain(piece)
})

test('the first word stands behind comments', () => {
  expect(getFirstKeyword('/* a */ -- b\n  with x as (select 1) select')).toBe('WITH')
  expect(getFirstKeyword('(select 1)')).toBe('')
})

import { expect, test } from 'vitest'
import { copyText } from './copy-text.ts'

const copied = {
  columns: [{ title: 'id', isNumber: true }, { title: 'a|b' }],
  rows: [
    ['1', 'plain'],
    ['9007199254740993', 'say "hi", twice\nover'],
    [null, ''],
  ],
}

test('CSV quotes what must be quoted and keeps NULL apart from an empty text', () => {
  expect(copyText('csv', copied)).toBe('id,a|b\r\n1,plain\r\n9007199254740993,"say ""hi"", twice\nover"\r\n,""')
})

test('JSON never changes a number it can not hold', () => {
  expect(JSON.parse(copyText('json', copied))).toEqual([
    { id: 1, 'a|b': 'plain' },
    { id: '9007199254740993', 'a|b': 'say "hi", twice\nover' },
    { id: null, 'a|b': '' },
  ])
})

test('Markdown stays one line a row', () => {
  expect(copyText('markdown', copied).split('\n')).toEqual([
    '| id | a\\|b |',
    '| ---: | --- |',
    '| 1 | plain |',
    '| 9007199254740993 | say "hi", twice<br>over |',
    '|  |  |',
  ])
})

test('INSERT writes numbers and booleans bare, quotes the rest and keeps NULL', () => {
  const typed = {
    table: 'shop.orders',
    columns: [{ title: 'id', isNumber: true }, { title: 'a "b"', isBoolean: true }, { title: 'note' }],
    rows: [
      ['9007199254740993', 'true', "it's \\ fine"],
      ['NaN', null, '1'],
    ],
  }
  expect(copyText('insert', typed)).toBe(
    `insert into shop.orders ("id", "a ""b""", "note") values
  (9007199254740993, true, 'it''s \\ fine'),
  ('NaN', null, '1');`,
  )
})

test('JSON has booleans and nested values as such, unless a number would change', () => {
  const typed = {
    columns: [
      { title: 'ok', isBoolean: true },
      { title: 'data', isJson: true },
    ],
    rows: [
      ['true', '{"a":[1]}'],
      ['false', '{"big":12345678901234567890}'],
    ],
  }
  expect(JSON.parse(copyText('json', typed))).toEqual([
    { ok: true, data: { a: [1] } },
    { ok: false, data: '{"big":12345678901234567890}' },
  ])
})

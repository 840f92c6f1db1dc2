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

import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const shown = (before: string, after: string) =>
  lineDiff(before, after).map(
    (line) =>
      `${line.before?.number ?? '-'}:${line.before?.text ?? ''} | ${line.after?.number ?? '-'}:${line.after?.text ?? ''}`,
  )

test('equal texts stand side by side', () => {
  expect(shown('a\nb', 'a\nb')).toEqual(['1:a | 1:a', '2:b | 2:b'])
})

test('a line put in leaves the others where they are', () => {
  expect(shown('a\nc', 'a\nb\nc')).toEqual(['1:a | 1:a', '-: | 2:b', '2:c | 3:c'])
})

test('changed lines stand opposite each other, kept ones between them are found', () => {
  expect(shown('a\nx\nb\ny\nc', 'a\n1\nb\n2\nc')).toEqual([
    '1:a | 1:a',
    '2:x | 2:1',
    '3:b | 3:b',
    '4:y | 4:2',
    '5:c | 5:c',
  ])
})

test('nothing and something', () => {
  expect(shown('', 'a\nb')).toEqual(['1: | 1:a', '-: | 2:b'])
})

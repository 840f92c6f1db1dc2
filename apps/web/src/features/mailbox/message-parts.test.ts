import { expect, test } from 'vitest'
import { findCode, findLinks, withoutStyleSheets } from './message-parts.ts'

test('finds the one code of a message', () => {
  expect(findCode('Enter this code.\n\n    048213\n\nIt works for 15 minutes.')).toBe('048213')
})

test('is not fooled by other numbers', () => {
  expect(findCode('Order 1234567, colour #112233')).toBeUndefined()
  expect(findCode('Revenue: 160342 (▲ 3.4%)\norders\n160342')).toBeUndefined()
  expect(findCode(null)).toBeUndefined()
})

test('finds each address once, without the full stop behind it', () => {
  expect(findLinks('See https://a.example/x?y=1. Or (http://b.example), https://a.example/x?y=1')).toEqual([
    'https://a.example/x?y=1',
    'http://b.example',
  ])
  expect(findLinks('mailto:x@y.example javascript:alert(1)')).toEqual([])
})

test('cuts style sheets and leaves the rest', () => {
  expect(withoutStyleSheets('<style>\n.a{}\n</style><p style="color:red">Hi</p>')).toBe('<p style="color:red">Hi</p>')
})

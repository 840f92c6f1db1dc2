import { expect, test } from 'vitest'
import { parseBlocks, parseInlines } from './markdown.ts'

test('headings, lists, code and paragraphs', () => {
  expect(
    parseBlocks(
      '# Orders\n\nOne *row* each,\nnever two.\n\n- `id`\n- **amount**\n\n1. first\n\n```\nselect 1\n```\n> said',
    ),
  ).toEqual([
    { kind: 'heading', level: 1, parts: [{ kind: 'text', text: 'Orders' }] },
    {
      kind: 'paragraph',
      parts: [
        { kind: 'text', text: 'One ' },
        { kind: 'em', parts: [{ kind: 'text', text: 'row' }] },
        { kind: 'text', text: ' each,\nnever two.' },
      ],
    },
    {
      kind: 'list',
      isOrdered: false,
      items: [[{ kind: 'code', text: 'id' }], [{ kind: 'strong', parts: [{ kind: 'text', text: 'amount' }] }]],
    },
    { kind: 'list', isOrdered: true, items: [[{ kind: 'text', text: 'first' }]] },
    { kind: 'code', text: 'select 1' },
    { kind: 'quote', parts: [{ kind: 'text', text: 'said' }] },
  ])
})

test('names with underscores are names', () => {
  expect(parseInlines('see order_line_id and 2 * 3 * 4')).toEqual([
    { kind: 'text', text: 'see order_line_id and 2 * 3 * 4' },
  ])
})

test('a table is one, and a bar may stand in a cell', () => {
  expect(parseBlocks('| Is | A |\n| --- | :-: |\n| `a \\| b` | **c** |\nafter')).toEqual([
    {
      kind: 'table',
      head: [[{ kind: 'text', text: 'Is' }], [{ kind: 'text', text: 'A' }]],
      rows: [[[{ kind: 'code', text: 'a | b' }], [{ kind: 'strong', parts: [{ kind: 'text', text: 'c' }] }]]],
    },
    { kind: 'paragraph', parts: [{ kind: 'text', text: 'after' }] },
  ])
  expect(parseBlocks('| a | b |\nno rule')).toEqual([
    { kind: 'paragraph', parts: [{ kind: 'text', text: '| a | b |\nno rule' }] },
  ])
})

test('an item goes on in the indented lines under it', () => {
  const text = (one: string) => [{ kind: 'text', text: one }]
  expect(parseBlocks('- one\n  goes on\n- two\n\n1. first\n   goes on\n2. second')).toEqual([
    { kind: 'list', isOrdered: false, items: [text('one goes on'), text('two')] },
    { kind: 'list', isOrdered: true, items: [text('first goes on'), text('second')] },
  ])
})

test('a link that could run something stays text', () => {
  expect(parseInlines('[x](javascript:alert(1))')[0]).toEqual({ kind: 'text', text: '[x](javascript:alert(1)' })
  expect(parseInlines('[x](//elsewhere.example)')).toEqual([{ kind: 'text', text: '[x](//elsewhere.example)' }])
  expect(parseInlines('[x](https://example.com)')).toEqual([
    { kind: 'link', href: 'https://example.com', parts: [{ kind: 'text', text: 'x' }] },
  ])
})

test('every text ends: no line is ever skipped or read for ever', () => {
  for (const text of [
    '#',
    '####### x',
    '-',
    '>',
    '```',
    '1.',
    '**',
    '* ',
    '[a](',
    '\n\n',
    '# ',
    '   ```',
    '|',
    '| |\n|-|',
    '- a\n  1. b',
  ])
    expect(JSON.stringify(parseBlocks(text)).length).toBeGreaterThan(1)
})

test('thousands of marks in one paragraph are read like a few', () => {
  const [paragraph] = parseBlocks('`a` '.repeat(12_000))
  expect(paragraph?.kind === 'paragraph' && paragraph.parts.filter(({ kind }) => kind === 'code')).toHaveLength(12_000)
})

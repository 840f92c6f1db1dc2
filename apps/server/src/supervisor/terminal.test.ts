import { expect, test } from 'vitest'
import { passFaults } from './terminal.ts'

test('everyday lines stay in the file; faults and words of others are passed on whole', () => {
  const seen: string[] = []
  const take = passFaults((text) => seen.push(text))
  take(Buffer.from('{"level":"info","msg":"Job done."}\n{"level":"err'))
  take(Buffer.from('or","msg":"broken"}\n{"level":"debug"}\n'))
  take(Buffer.from('Error: out of words\n    at here\n{"level":"warn"'))
  expect(seen).toEqual(['{"level":"error","msg":"broken"}\n', 'Error: out of words\n', '    at here\n'])
})

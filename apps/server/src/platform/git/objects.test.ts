import { expect, test } from 'vitest'
import { parseCommit } from './objects.ts'

const commit = (author: string) =>
  Buffer.from(`tree ${'a'.repeat(40)}\nauthor ${author}\ncommitter ${author}\n\nFirst\n`)

test('the author of a commit is read', () => {
  const { author, message } = parseCommit(commit('Ada Lovelace <ada@example.com> 1767225600 +0000'))
  expect(author).toEqual({ name: 'Ada Lovelace', email: 'ada@example.com', at: new Date('2026-01-01T00:00:00Z') })
  expect(message).toBe('First')
})

test('a line of a million brackets is read in one go, and names nobody', () => {
  for (const sign of ['<', '<>', '< ']) {
    expect(parseCommit(commit(sign.repeat(1_000_000))).author.name).toBe('')
  }
})

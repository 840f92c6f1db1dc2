import { expect, test } from 'vitest'
import { filterPeople, findMention, findMentioned, splitMentions } from './mention-text.ts'

const person = (code: string, name: string) => ({ code, name, email: `${code}@example.com` })
const ada = person('a1', 'Ada Lovelace')
const short = person('a2', 'Ada')
const grace = person('g1', 'Grace (ops) Hopper')
const twin = person('a3', 'Ada Lovelace')
const people = [ada, short, grace]

test('an @ at the beginning of a word begins a mention, up to the caret', () => {
  expect(findMention('Ask @Ad today', 7)).toEqual({ inputText: 'Ad', start: 4 })
  expect(findMention('@', 1)).toEqual({ inputText: '', start: 0 })
  expect(findMention('(@Ada L', 7)).toEqual({ inputText: 'Ada L', start: 1 })
  expect(findMention('mail ada@example', 16)).toBeNull()
  expect(findMention('@Ada\nnext', 9)).toBeNull()
})

test('people are offered by name, surname or e-mail until a name is complete', () => {
  expect(filterPeople(people, '')).toEqual(people)
  expect(filterPeople(people, 'lov')).toEqual([ada])
  expect(filterPeople(people, 'g1@')).toEqual([grace])
  expect(filterPeople(people, 'Ada L')).toEqual([ada])
  expect(filterPeople(people, 'Ada Lovelace ')).toEqual([])
  expect(filterPeople(people, 'Ada Lovelace thinks')).toEqual([])
})

test('a text is split at the names in it, the longest first, and nothing is lost', () => {
  const text = 'Hi @Ada Lovelace, @Adam, @Ada and @Grace (ops) Hopper!'
  const parts = splitMentions(
    text,
    people.map(({ name }) => name),
  )
  expect(parts.flatMap(({ name }) => name ?? [])).toEqual(['Ada Lovelace', 'Ada', 'Grace (ops) Hopper'])
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(splitMentions('@Ada', [])).toEqual([{ text: '@Ada', name: null }])
})

test('of two people with one name only the one who was picked is mentioned', () => {
  expect(findMentioned('@Ada Lovelace', people)).toEqual(['a1'])
  expect(findMentioned('@Ada Lovelace', [...people, twin])).toEqual(['a1', 'a3'])
  expect(findMentioned('@Ada Lovelace', [...people, twin], new Set(['a3']))).toEqual(['a3'])
  expect(findMentioned('nobody', people, new Set(['a1']))).toEqual([])
})

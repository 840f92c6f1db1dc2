import { expect, test } from 'vitest'
import { addImport, addToList, addToObject, addToType } from './edit-source.ts'
import { NameProblem, featureNames, fill } from './names.ts'

test('an import goes after the last one, however it is written', () => {
  const text = "import a from 'a'\nimport {\n  b,\n  c,\n} from 'b'\n\nconst d = 1\n"
  expect(addImport(text, "import e from 'e'")).toBe(
    "import a from 'a'\nimport {\n  b,\n  c,\n} from 'b'\nimport e from 'e'\n\nconst d = 1\n",
  )
  expect(() => addImport('const a = 1\n', "import e from 'e'")).toThrow('no import')
})

test('an item goes to the end of a list, empty, on one line or on several', () => {
  expect(addToList('const a: B[] = []', 'a', '...c')).toBe('const a: B[] = [...c]')
  expect(addToList('const a = [...b, f([1])]\nconst z = [2]', 'a', '...c')).toBe(
    'const a = [...b, f([1]), ...c]\nconst z = [2]',
  )
  expect(addToList('const a = [\n  ...b,\n]', 'a', '...c')).toBe('const a = [...b, ...c]')
  expect(() => addToList('const b = []', 'a', 'c')).toThrow('no list a')
})

test('a type and an object grow at their end', () => {
  expect(addToType('export type A = B\n\nexport type C = A', 'A', 'D')).toBe(
    'export type A = B & D\n\nexport type C = A',
  )
  expect(() => addToType('type A = B', 'A', 'D')).toThrow('no type A')
  expect(addToObject('export const A = {\n  b: 1,\n} as const', 'A', '  c: 2,')).toBe(
    'export const A = {\n  b: 1,\n  c: 2,\n} as const',
  )
  expect(() => addToObject('const B = {}', 'A', '')).toThrow('no object A')
})

test('names are spelt for every place', () => {
  const { words } = featureNames('saved-queries')
  expect(fill('__features__ __feature___id __featuresCamel__Routes __features_snake__', words)).toBe(
    'saved-queries saved_query_id savedQueriesRoutes saved_queries',
  )
  expect(fill('__Features__Page __Feature__Create __Feature words__', words)).toBe(
    'SavedQueriesPage SavedQueryCreate Saved query',
  )
})

test.each(['Schedules', 'sche_dules', '../up', '', 'schedules/', '1st', 'a'.repeat(41)])('%j is no name', (name) => {
  expect(() => featureNames(name)).toThrow(NameProblem)
})

test.each([
  ['schedules', 'schedule'],
  ['saved-queries', 'saved_query'],
  ['wishes', 'wish'],
  ['databases', 'database'],
  ['mailboxes', 'mailbox'],
  ['batches', 'batch'],
  ['addresses', 'address'],
])('one of the %s is a %s', (features, one) => {
  expect(featureNames(features).words['__feature__']).toBe(one)
})

test('a singular that does not follow the rules is given', () => {
  expect(featureNames('statuses', 'status').words['__Feature__']).toBe('Status')
})

test('a word that is its own plural needs the singular', () => {
  expect(() => featureNames('sheep')).toThrow('What is one of the sheep called?')
})

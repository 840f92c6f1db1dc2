import { expect, test } from 'vitest'
import { parseJsonTree, filterJsonTree } from './json-nodes.ts'

test('each value has a path that Postgres reads', () => {
  const tree = parseJsonTree('{"items":[{"first name":"Anna"}],"n":1}')
  expect(tree?.text).toBe('{2}')
  expect(tree?.children[0]?.children[0]?.children[0]).toMatchObject({
    path: '{items,0,"first name"}',
    text: '"Anna"',
  })
  expect(parseJsonTree('{"cut')).toBeNull()
})

test('a search leaves what has the text and the way there', () => {
  const tree = parseJsonTree('{"a":{"b":"needle"},"c":{"d":1},"needles":[]}')
  const jsonNode = tree && filterJsonTree(tree, 'NEEDLE')
  expect(jsonNode?.children.map(({ name }) => name)).toEqual(['a', 'needles'])
  expect(jsonNode?.children[0]?.children[0]?.text).toBe('"needle"')
  expect(tree && filterJsonTree(tree, 'nowhere')).toBeNull()
})

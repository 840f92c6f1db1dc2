import { expect, test } from 'vitest'
import { closeTab, findNextTab, moveTab, openTab, parseTabs, type TabList } from './tab-list.ts'

const NO_TABS = parseTabs(null)
const tab = (fileId: string, name = fileId) => ({ projectId: 'p', fileId, name })
const createTabList = (...names: string[]): TabList => names.reduce((list, name) => openTab(list, tab(name)), NO_TABS)
const names = ({ open }: TabList) => open.map(({ name }) => name)

test('opens once, keeps the place and takes the new name', () => {
  const list = openTab(createTabList('a', 'b'), tab('a', 'renamed'))
  expect(names(list)).toEqual(['renamed', 'b'])
})

test('closes, goes to a neighbour and opens again', () => {
  const list = createTabList('a', 'b', 'c')
  expect(findNextTab(list, tab('b'))).toEqual(tab('c'))
  expect(findNextTab(list, tab('c'))).toEqual(tab('b'))
  expect(findNextTab(createTabList('a'), tab('a'))).toBeUndefined()
  const closed = closeTab(closeTab(list, tab('a')), tab('b'))
  expect(closed.closed.map(({ name }) => name)).toEqual(['b', 'a'])
  expect(openTab(closed, tab('b'))).toMatchObject({ open: [tab('c'), tab('b')], closed: [tab('a')] })
})

test('moves within the list', () => {
  expect(names(moveTab(createTabList('a', 'b', 'c'), tab('a'), 2))).toEqual(['b', 'c', 'a'])
  expect(names(moveTab(createTabList('a', 'b', 'c'), tab('c'), 0))).toEqual(['c', 'a', 'b'])
  expect(names(moveTab(createTabList('a', 'b'), tab('a'), 99))).toEqual(['b', 'a'])
})

test('closes the oldest beyond thirty', () => {
  const list = createTabList(...Array.from({ length: 32 }, (_, at) => `t${at}`))
  expect(list.open).toHaveLength(30)
  expect(list.closed.map(({ name }) => name)).toEqual(['t1', 't0'])
})

test('reads what was stored, whatever it is', () => {
  const list = createTabList('a', 'b')
  expect(parseTabs(JSON.stringify(list))).toEqual(list)
  for (const text of [null, '', '{', '[]', 'null', '{"open":[1,null,{}],"closed":5}'])
    expect(parseTabs(text)).toEqual(NO_TABS)
})

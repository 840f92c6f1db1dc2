import { expect, test } from 'vitest'
import { fakeLog } from '../../../testing/dataflows/fake-runs.ts'
import { createLogStore, findLineIndex } from './log-store.ts'

test('lines are kept once and in order, by level', () => {
  const store = createLogStore()
  const lines = fakeLog(60)
  store.append(lines.slice(0, 45))
  store.append(lines.slice(30))
  expect(store.view()).toMatchObject({ count: 60, dropped: 0, firstError: { number: 40 } })
  expect(store.last()).toBe(60)
  const before = store.view()
  store.setLevels(new Set(['ERROR']))
  expect(store.view().shown.map(({ number }) => number)).toEqual([40])
  expect(before.shown).toHaveLength(60)
  expect(store.view().count).toBe(60)
})

test('a view stays the same until something changes', () => {
  const store = createLogStore()
  store.append(fakeLog(3))
  expect(store.view()).toBe(store.view())
  let told = 0
  const stop = store.subscribe(() => (told += 1))
  store.append([])
  stop()
  store.append([])
  expect(told).toBe(1)
})

test('a log without end lets go of its first lines', () => {
  const store = createLogStore(100, 10)
  store.append(fakeLog(105))
  expect(store.view()).toMatchObject({ count: 105, dropped: 0 })
  store.append(fakeLog(150))
  const view = store.view()
  expect(view).toMatchObject({ count: 100, dropped: 50 })
  expect(view.shown[0]?.number).toBe(51)
  expect(view.firstError).toBeUndefined()
  expect(Object.values(view.counts).reduce((sum, one) => sum + one)).toBe(100)
})

test('a hidden line leads to the next one that is shown', () => {
  const lines = fakeLog(60).filter(({ level }) => level === 'WARNING')
  expect(lines[findLineIndex(lines, 24)]?.number).toBe(24)
  expect(lines[findLineIndex(lines, 25)]?.number).toBe(36)
  expect(findLineIndex(lines, 1000)).toBe(lines.length)
})

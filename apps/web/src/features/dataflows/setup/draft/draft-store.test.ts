import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../../api/api-error.ts'
import { fakeBlock, fakeSettings } from '../../../../testing/dataflows/fake-dataflows.ts'
import type { Block, Parts } from './block-kinds.ts'
import { draftMemory } from './draft-memory.ts'
import { createDraftStore, SAVE_AFTER_MS } from './draft-store.ts'

const LOST = new ApiError({ status: 0, code: 'unreachable', title: '', detail: 'Trellis cannot be reached.' })
const CONFLICT = new ApiError({ status: 409, code: 'conflict', title: '', detail: 'Grace changed it.' })

function server(more: Parts = {}) {
  const settings = fakeSettings('Transformation', { code: 'select 1', ...more })
  const held = fakeBlock('b-1', { kind: 'Transformation', name: 'Clean', x: 0, y: 0, settings }) as unknown as Block
  const sent: Parts[] = []
  const state = { fault: null as Error | null }
  const change = (parts: Parts, who = 'Grace Hopper') => {
    Object.assign(held, { version: held.version + 1, updated_by: who, settings: { ...held.settings, ...parts } })
  }
  const open = () =>
    createDraftStore({
      block: structuredClone(held),
      memory: draftMemory,
      save: async (_kind, { version, settings: parts }) => {
        if (state.fault) throw state.fault
        sent.push(parts)
        if (version !== held.version) throw CONFLICT
        change(parts, 'Ada Lovelace')
        return structuredClone(held)
      },
      read: async () => structuredClone(held),
      onMerged: (_who, names) => merged.push(...names),
    })
  const merged: string[] = []
  return { held, sent, state, change, open, merged }
}

const put = (store: ReturnType<ReturnType<typeof server>['open']>, parts: Parts) =>
  store.change((oldParts) => ({ ...oldParts, ...parts }), Object.keys(parts).join())

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
})

test('only what changed is sent, once the person pauses', async () => {
  const { sent, open, held } = server()
  const store = open()
  put(store, { code: 'select 2' })
  put(store, { code: 'select 23' })
  expect(store.get().save).toBe('waiting')
  await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS)
  expect(sent).toEqual([{ code: 'select 23' }])
  expect(held.settings).toMatchObject({ code: 'select 23' })
  expect(store.get().save).toBe('saved')
})

test('typing on at one place is one step back', () => {
  const store = server().open()
  put(store, { code: 'select 2' })
  put(store, { code: 'select 23' })
  store.undo()
  expect(store.get().settings['code']).toBe('select 1')
  store.redo()
  expect(store.get().settings['code']).toBe('select 23')
})

test('changes of different parts are put together', async () => {
  const { change, open, held, merged } = server()
  const store = open()
  change({ attempts: 7 })
  put(store, { code: 'select 2' })
  await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS * 3)
  expect(held.settings).toMatchObject({ attempts: 7, code: 'select 2' })
  expect(store.get()).toMatchObject({ save: 'saved', settings: { attempts: 7, code: 'select 2' } })
  expect(merged).toEqual(['attempts'])
})

test('for the same part the person chooses: theirs, with their own a step back', async () => {
  const { change, open, held } = server()
  const store = open()
  change({ code: 'select theirs' })
  put(store, { code: 'select mine' })
  await store.flush()
  expect(store.get()).toMatchObject({ save: 'conflict', theirs: { updated_by: 'Grace Hopper' } })
  expect(store.get().settings['code']).toBe('select mine')
  store.takeTheirs()
  expect(store.get()).toMatchObject({ save: 'saved', settings: { code: 'select theirs' } })
  store.undo()
  await store.flush()
  expect(held.settings).toMatchObject({ code: 'select mine' })
})

test('or their own, over theirs', async () => {
  const { change, open, held } = server()
  const store = open()
  change({ code: 'select theirs', attempts: 9 })
  put(store, { code: 'select mine' })
  await store.flush()
  store.keepMine()
  await vi.advanceTimersByTimeAsync(0)
  expect(held.settings).toMatchObject({ code: 'select mine', attempts: 9 })
  expect(store.get().save).toBe('saved')
})

test('what could not be saved is said, tried again, and outlives the page', async () => {
  const { state, open, held } = server()
  const store = open()
  state.fault = LOST
  put(store, { code: 'select 2' })
  await store.flush()
  expect(store.get()).toMatchObject({ save: 'failed', error: LOST.message })
  store.stop()
  state.fault = null
  const later = open()
  expect(later.get()).toMatchObject({ isBroughtBack: true, settings: { code: 'select 2' } })
  await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS)
  expect(held.settings).toMatchObject({ code: 'select 2' })
  expect(later.get()).toMatchObject({ save: 'saved', isBroughtBack: false })
})

test('a lost connection that comes back is made up for by itself', async () => {
  const { state, open, held } = server()
  const store = open()
  state.fault = LOST
  put(store, { code: 'select 2' })
  await store.flush()
  state.fault = null
  await vi.advanceTimersByTimeAsync(2000)
  expect(held.settings).toMatchObject({ code: 'select 2' })
})

test('what does not fit stays here, what fits is sent', async () => {
  const { open, sent } = server()
  const store = open()
  put(store, { attempts: 99, code: 'select 2' })
  expect(await store.flush()).toBe(false)
  expect(sent).toEqual([{ code: 'select 2' }])
  expect(store.get()).toMatchObject({ save: 'unfit', problems: [{ path: 'attempts' }], settings: { attempts: 99 } })
})

test('what is typed while a save is under way goes with the next one', async () => {
  const { open, sent } = server()
  const store = open()
  put(store, { code: 'select 2' })
  const first = store.flush()
  put(store, { code: 'select 3' })
  await first
  await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS)
  expect(sent).toEqual([{ code: 'select 2' }, { code: 'select 3' }])
  expect(store.get().save).toBe('saved')
})

test('another order of keys is no change', () => {
  const { open } = server({ input: { schema_name: 'public', table_name: 'orders' } })
  const store = open()
  store.change((oldParts) => ({ ...oldParts, input: { table_name: 'orders', schema_name: 'public' } }), null)
  expect(store.get().save).toBe('saved')
})

test('a fault found in an older text is not shown for a newer one', async () => {
  const { held, open } = server({ code: '' })
  const missing = { path: 'code', kind: 'missing' as const, message: 'Write the SQL.' }
  Object.assign(held, { faults: [missing] })
  const store = open()
  expect(store.get().faults).toEqual([missing])
  put(store, { code: 'select 1' })
  expect(store.get().faults).toEqual([])
  // The first response is about the previous text.
  const first = store.flush()
  put(store, { code: 'select 12' })
  await first
  expect(store.get().faults).toEqual([])
  Object.assign(held, { faults: [] })
  await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS)
  expect(store.get()).toMatchObject({ save: 'saved', faults: [] })
})

test('what could not be sent is said only of what stands there now', async () => {
  const store = server().open()
  put(store, { attempts: 99 })
  await store.flush()
  expect(store.get().problems).toMatchObject([{ path: 'attempts' }])
  put(store, { attempts: 3 })
  expect(store.get().problems).toEqual([])
})

test('what a screen fills in by itself does not change a live block that is only opened', async () => {
  const { held, sent, open } = server()
  const fill = (oldParts: Parts): Parts => ({ ...oldParts, language: 'sql', packages: ['trellis/dates'] })
  Object.assign(held, { publish_state: 'published' })
  const live = open()
  live.amend(fill)
  expect(live.get().save).toBe('saved')
  put(live, { code: 'select 2' })
  live.amend(fill)
  await live.flush()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ code: 'select 2', packages: ['trellis/dates'] })
  Object.assign(held, { publish_state: 'incomplete' })
  const begun = open()
  begun.amend((oldParts) => ({ ...oldParts, packages: [] }))
  expect(begun.get().save).toBe('waiting')
})

import type { RestManifest, RestStream } from '@trellis/contract/integrations/rest-manifest'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { ReadState } from '../batch.ts'
import { type Connector, defineConnector } from '../connector.ts'
import { SourceChanged } from '../source-changed.ts'
import { serveSimulator } from '../testing/local-host.ts'
import { readAll } from '../testing/read-all.ts'
import { createTestContext } from '../testing/test-context.ts'
import { createRestSource, buildStreamQuery } from './rest-source.ts'

const ALL = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
let parents: readonly string[] = ALL
afterEach(() => {
  parents = ALL
})

/** Three parents a page, each with two pages of one part. */
const host = await serveSimulator(async (request) => {
  const url = new URL(request.url)
  const start = Number(url.searchParams.get('start') ?? 0)
  const [, parent] = /\/parents\/(\w+)\/parts$/.exec(url.pathname) ?? []
  if (parent === undefined) {
    return Response.json({
      items: parents.slice(start, start + 3).map((id) => ({ id })),
      next: start + 3 < parents.length ? start + 3 : null,
    })
  }
  return Response.json({ items: [{ id: `${parent}${start}` }], next: start === 0 ? 1 : null })
})
afterAll(() => host.close())

const paginate = { type: 'cursor', token: 'next', parameter: 'start' } as const
const list: RestStream = { name: 'parents', request: { path: '/parents' }, records: 'items', key: ['id'], paginate }
const parts = (partition: RestStream['partition']): RestStream => ({
  name: 'parts',
  request: { path: '/parents/{{ partition.value }}/parts' },
  records: 'items',
  key: ['id'],
  paginate,
  partition,
})
function createConnector(partition: RestStream['partition']): Connector {
  const manifest: RestManifest = {
    version: 1,
    base_url: '{{ host.api }}',
    inputs: [],
    auth: { type: 'none' },
    streams: [list, parts(partition)],
  }
  return defineConnector({
    code: 'sample',
    name: 'Sample',
    summary: '',
    tags: ['source'],
    hosts: { api: '' },
    setupForma: { forma_trellis_code: 'sample', title: '', sections: [] },
    check: async () => [],
    source: createRestSource(manifest, { platform: 'Sample', queryFormas: [] }),
  })
}
const BY_PARENT = { type: 'parent', stream: 'parents', field: 'id' } as const
const read = async (state?: ReadState, partition: RestStream['partition'] = BY_PARENT) => {
  const context = createTestContext({ hosts: { api: host.toBaseUrl('api') } })
  const whole = await readAll(createConnector(partition), context, {
    query: buildStreamQuery('parts'),
    ...(state && { state: JSON.parse(JSON.stringify(state)) as ReadState }),
  })
  return { ...whole, ids: whole.rows.map(([id]) => String(id)), requests: context.requests.length }
}
type Read = Awaited<ReturnType<typeof read>>

const listCheckpoints = ({ batches }: Read, before: readonly string[] = []) =>
  batches.slice(0, -1).map(({ state }, at) => ({
    state: state as ReadState & { at: { partition: { value: string; read?: string } } },
    before: [...before, ...batches.slice(0, at + 1).flatMap(({ rows }) => rows.map(([id]) => String(id)))],
  }))
const listParts = (values: readonly string[]) => values.flatMap((value) => [`${value}0`, `${value}1`])

/** Of the parents that are there now: all parts, once. Of one that is gone: what was read while it was there. */
function assertOnce(before: readonly string[], after: readonly string[]): void {
  const all = [...before, ...after]
  expect(all).toEqual([...new Set(all)])
  expect(all).toEqual(expect.arrayContaining(listParts(parents)))
  expect(after.filter((id) => !parents.includes(id.slice(0, 1)))).toEqual([])
}

test('the same list: it is read on in its order, without asking for it twice', async () => {
  const whole = await read()
  expect(whole.ids).toEqual(listParts(ALL))
  for (const { state, before } of listCheckpoints(whole)) {
    const rest = await read(state)
    expect([...before, ...rest.ids]).toEqual(whole.ids)
    expect(rest.requests).toBeLessThanOrEqual(whole.requests)
  }
})

describe('a list that changed before it was read on: every part is read once', () => {
  const without = (...gone: string[]) => ALL.filter((value) => !gone.includes(value))
  test.each<[string, (value: string) => readonly string[]]>([
    ['the parent at the checkpoint is gone', (value) => without(value)],
    ['it and the one behind it are gone', (value) => without(value, ALL[ALL.indexOf(value) + 1] ?? '')],
    ['it and the one before it are gone', (value) => without(value, ALL[ALL.indexOf(value) - 1] ?? '')],
    ['one that was read is gone, and all others move up', (value) => without(value === 'a' ? 'b' : 'a')],
    ['new ones came first', () => ['x', 'y', 'z', ...ALL]],
    ['new ones came first, and it is gone', (value) => ['x', 'y', 'z', 'w', ...without(value)]],
    ['the order is another', () => ALL.toReversed()],
    ['the order is another, and it is gone', (value) => without(value).toReversed()],
    ['all are gone', () => []],
  ])('%s', async (_, change) => {
    for (const { state, before } of listCheckpoints(await read())) {
      parents = change(state.at.partition.value)
      assertOnce(before, (await read(state)).ids)
      parents = ALL
    }
  })

  test('it is broken off again, and the parent that was gone is back', async () => {
    for (const first of listCheckpoints(await read())) {
      const gone = first.state.at.partition.value
      parents = ['x', ...without(gone)]
      for (const second of listCheckpoints(await read(first.state), first.before)) {
        parents = ['x', ...ALL]
        const all = [...second.before, ...(await read(second.state)).ids]
        expect(all).toEqual([...new Set(all)])
        expect(all).toEqual(expect.arrayContaining(listParts(['x', ...without(gone)])))
      }
      parents = ALL
    }
  })
})

test('values that the connection names: one that is gone is passed over', async () => {
  const values = ['a', 'b', 'c']
  for (const { state, before } of listCheckpoints(await read(undefined, { type: 'list', values }))) {
    parents = values.filter((value) => value !== state.at.partition.value)
    const { ids } = await read(state, { type: 'list', values: [...parents] })
    assertOnce(before, ids)
  }
})

describe('more parents than a checkpoint remembers, or one of an earlier version', () => {
  const forget = ({ at, ...state }: ReadState & { at: { partition: { value: string } } }): ReadState => {
    const { value } = at.partition
    const start = Math.floor(ALL.indexOf(value) / 3) * 3
    const parent = start === 0 ? {} : { page: start }
    return { ...state, at: { ...at, partition: { value, parent } } }
  }

  test('the parent is where it was: it is read on', async () => {
    const whole = await read()
    for (const { state, before } of listCheckpoints(whole)) {
      expect([...before, ...(await read(forget(state))).ids]).toEqual(whole.ids)
    }
  })

  test('the parent is gone: nothing tells which ones were read', async () => {
    for (const { state } of listCheckpoints(await read())) {
      parents = ALL.filter((value) => value !== state.at.partition.value)
      await expect(read(forget(state))).rejects.toThrow(SourceChanged)
      parents = ALL
    }
  })

  test('checkpoints stay small', async () => {
    parents = Array.from({ length: 100 }, (_, at) => `${'long'.repeat(1000)}${at}`)
    const whole = await read()
    expect(Math.max(...whole.batches.map(({ state }) => JSON.stringify(state).length))).toBeLessThan(300 * 1024)
    expect(whole.rows).toHaveLength(200)
    for (const { state, before } of listCheckpoints(whole).slice(-4)) {
      expect(state.at.partition.read).toBeUndefined()
      expect([...before, ...(await read(state)).ids]).toEqual(whole.ids)
    }
  })
})

import * as canvas from '@trellis/contract/dataflows/canvas.endpoints'
import * as calls from '@trellis/contract/dataflows/dataflows.endpoints'
import { expect, test } from 'vitest'
import { startFlowsApp } from '../../testing/flows-app.ts'

const { flows } = await startFlowsApp()

const structure = async () => (await flows.call(calls.getFolderStructure)).data

test('folders are made, nested, moved and taken away; what was in them moves up', async () => {
  const make = async (name: string, parent: string | null = null) =>
    (await flows.call(calls.createDataflowFolder, { body: { name, parent_trellis_code: parent } })).data
  const top = await make('Shop')
  const inner = await make('Orders', top.trellis_code)
  const flow = await flows.dataflow('Daily', { folder_trellis_code: inner.trellis_code })
  expect(inner).toMatchObject({ parent_trellis_code: top.trellis_code, name: 'Orders' })

  const move = (code: string, parent: string | null) =>
    flows.call(calls.updateDataflowFolder, { params: { trellis_code: code }, body: { parent_trellis_code: parent } })
  const circle = await move(top.trellis_code, inner.trellis_code)
  expect(circle.errors[0]).toMatchObject({ code: 'conflict', detail: expect.stringContaining('"Shop"') as string })
  expect((await move(top.trellis_code, 'zzzzzzzzzzzz')).status).toBe(404)

  await flows.call(calls.deleteDataflowFolder, { params: { trellis_code: inner.trellis_code } })
  const after = await structure()
  expect(after.folders.map(({ name }) => name)).toEqual(['Shop'])
  expect(after.dataflows.find(({ trellis_code }) => trellis_code === flow)?.folder_trellis_code).toBe(top.trellis_code)
})

test('folders go eight deep, also when a whole branch is moved', async () => {
  const make = async (parent: string | null) =>
    await flows.call(calls.createDataflowFolder, { body: { name: 'Deep', parent_trellis_code: parent } })
  const chain: string[] = []
  for (let level = 0; level < 8; level++) chain.push((await make(chain.at(-1) ?? null)).data.trellis_code)
  expect((await make(chain.at(-1) ?? null)).errors[0]?.detail).toBe('Folders can be nested 8 deep. Put it further up.')
  const pair = (await make(null)).data.trellis_code
  await make(pair)
  const move = (parent: string | undefined) =>
    flows.call(calls.updateDataflowFolder, { params: { trellis_code: pair }, body: { parent_trellis_code: parent } })
  expect((await move(chain[6])).errors[0]?.code).toBe('conflict')
  expect((await move(chain[5])).status).toBe(200)
})

test('a dataflow is made, changed, deleted and brought back', async () => {
  const code = await flows.dataflow('Weekly')
  const params = { trellis_code: code }
  const change = (body: object) => flows.call(calls.updateDataflow, { params: { relative_trellis_code: code }, body })
  const alerts = {
    emails: ['team@example.com'],
    webhook_url: null,
    on_failure: true,
    on_recovery: false,
    on_later_than_usual: true,
  }
  const changedResponse = await change({
    name: 'Monthly',
    description: '# Why',
    alerts,
    misfire: 'all',
    overlap: 'skip',
  })
  expect(changedResponse.data).toMatchObject({
    name: 'Monthly',
    description: '# Why',
    alerts,
    misfire: 'all',
    overlap: 'skip',
  })
  expect((await change({ folder_trellis_code: 'zzzzzzzzzzzz' })).status).toBe(404)
  expect((await flows.call(calls.getDataflow, { params })).data).toMatchObject({
    name: 'Monthly',
    status: 'SETUP_INCOMPLETE',
    block_count: 0,
    has_unpublished: false,
    recent: [],
  })
  const block = await flows.source(code, 'Orders')
  expect((await flows.call(calls.deleteDataflow, { params })).status).toBe(200)
  expect((await flows.call(calls.getDataflow, { params })).status).toBe(404)
  expect((await flows.call(canvas.getCanvas, { params: { dataflow_trellis_code: code } })).status).toBe(404)
  expect((await flows.read('Source', block)).status).toBe(404)
  expect((await structure()).dataflows.map(({ trellis_code }) => trellis_code)).not.toContain(code)
  expect((await flows.call(calls.restoreDataflow, { params })).data).toMatchObject({ name: 'Monthly', block_count: 1 })
  expect((await flows.call(calls.restoreDataflow, { params })).status, 'it is there').toBe(404)
})

test('blocks are made with what their kind begins with, and get a name of their own', async () => {
  const code = await flows.dataflow('Blocks')
  const first = await flows.source(code, 'Orders')
  await flows.source(code, 'Orders')
  const read = (await flows.read('Source', first)).data
  expect(read).toMatchObject({
    kind: 'Source',
    name: 'Orders',
    version: 1,
    published_version: null,
    publish_state: 'incomplete',
    status: 'SETUP_INCOMPLETE',
    settings: { attempts: 3, most_minutes: 60, subtasks: [], integration_trellis_code: null },
  })
  expect(read.faults.map(({ path }) => path)).toEqual(['integration_trellis_code', 'subtasks'])
  const shown = await flows.canvas(code)
  expect(shown.blocks.map(({ name }) => name)).toEqual(['Orders', 'Orders 2'])
  expect((await flows.read('Destination', first)).status, 'of another kind').toBe(404)
  const rename = (name: string) => flows.call(canvas.renameBlock, { body: { task_block_trellis_code: first, name } })
  expect((await rename('orders 2')).errors[0]?.code).toBe('conflict')
  expect((await rename('Sales')).status).toBe(200)
  expect((await flows.canvas(code)).blocks[0]?.name).toBe('Sales')
})

test('a change made on an older draft is refused and says who was faster', async () => {
  const code = await flows.dataflow('Together')
  const block = await flows.source(code, 'Orders')
  const change = (version: number, attempts: number) =>
    flows.call(canvas.updateSourceBlock, {
      body: { task_block_trellis_code: block, version, settings: { attempts } },
    })
  expect((await change(1, 5)).data).toMatchObject({ version: 2, settings: { attempts: 5 } })
  expect((await change(1, 7)).errors[0]).toMatchObject({
    code: 'conflict',
    detail: expect.stringMatching(/^\S.* changed "Orders" meanwhile\. Load it again, then change it\.$/) as string,
  })
  expect((await change(2, 5)).data.version, 'nothing changed').toBe(2)
})

test('arrows are triggers; a circle is refused with its blocks named', async () => {
  const code = await flows.dataflow('Circle')
  const [a, b, c] = [await flows.sql(code, 'A'), await flows.sql(code, 'B'), await flows.sql(code, 'C')] as const
  await flows.connect(a, b)
  await flows.connect(b, c)
  const shown = await flows.canvas(code)
  expect(shown.blocks.map(({ waits_for }) => waits_for)).toEqual([[], [a], [b]])
  expect(shown.blocks[1]?.trigger_in_words).toBe('After "A"')
  const circle = await flows.connect(c, a)
  expect(circle.errors[0]?.code).toBe('trigger_cycle')
  expect(circle.errors[0]?.detail).toMatch(/^A block can't wait for itself: "\w" → "\w" → "\w" → "\w"\./)
  expect((await flows.connect(a, a)).errors[0]?.code).toBe('trigger_cycle')
  const before = await flows.call(canvas.getPreviousBlocks, { params: { task_block_trellis_code: b } })
  expect(before.data.can_wait_for.map(({ name }) => name)).toEqual(['A'])
})

test('a deleted block leaves the triggers of others; brought back it has its own arrows alone', async () => {
  const code = await flows.dataflow('Deleting')
  const [a, b, c] = [await flows.sql(code, 'A'), await flows.sql(code, 'B'), await flows.sql(code, 'C')] as const
  await flows.connect(a, b)
  await flows.connect(b, c)
  for (const block of [a, b, c]) await flows.publish(block)
  expect(await flows.liveWaits(c)).toEqual([b])
  const params = { task_block_trellis_code: b }
  expect((await flows.call(canvas.deleteBlock, { params })).status).toBe(200)
  const shown = await flows.canvas(code)
  expect(shown.blocks.map(({ name, waits_for }) => [name, waits_for])).toEqual([
    ['A', []],
    ['C', []],
  ])
  expect(shown.blocks[1], 'what is live was mended with the draft').toMatchObject({ publish_state: 'published' })
  expect(await flows.liveWaits(c)).toEqual([])
  const back = await flows.call(canvas.restoreBlock, { params })
  expect(back.data).toMatchObject({ name: 'B', waits_for: [a], published_version: 2 })
  expect(await flows.liveWaits(b)).toEqual([a])
  expect((await flows.canvas(code)).blocks.find(({ name }) => name === 'C')?.waits_for).toEqual([])
  expect((await flows.call(canvas.restoreBlock, { params })).status).toBe(404)
})

test('groups hold blocks; taking one away leaves them', async () => {
  const code = await flows.dataflow('Groups')
  const block = await flows.sql(code, 'A')
  const put = (body: object) =>
    flows.call(canvas.putCanvasGroup, { body: { dataflow_trellis_code: code, name: 'Raw', color: 'blue', ...body } })
  const createdResponse = await put({ task_block_trellis_codes: [block], note: 'why' })
  expect(createdResponse.data).toMatchObject({ name: 'Raw', color: 'blue', note: 'why', is_folded: false })
  const { trellis_code } = createdResponse.data
  expect((await put({ trellis_code, color: 'red', is_folded: true })).data).toMatchObject({
    trellis_code,
    color: 'red',
    note: 'why',
    is_folded: true,
  })
  expect((await put({ trellis_code: 'zzzzzzzzzzzz' })).status).toBe(404)
  expect((await put({ task_block_trellis_codes: ['zzzzzzzzzzzz'] })).status).toBe(404)
  expect((await flows.canvas(code)).blocks[0]?.metadata.group_trellis_code).toBe(trellis_code)
  expect((await flows.canvas(code)).groups).toHaveLength(1)
  await flows.call(canvas.deleteCanvasGroup, { params: { trellis_code } })
  expect((await flows.canvas(code)).blocks[0]?.metadata.group_trellis_code).toBeNull()
})

test('many blocks move at once; what is not named stays', async () => {
  const code = await flows.dataflow('Moving')
  const [a, b] = [await flows.sql(code, 'A'), await flows.sql(code, 'B')] as const
  const movedResponse = await flows.call(canvas.updateBlockMetadata, {
    body: {
      blocks: [
        { task_block_trellis_code: a, metadata: { x: 10.5, y: -4 } },
        { task_block_trellis_code: b, metadata: { note: 'Look here' } },
      ],
    },
  })
  expect(movedResponse.data).toEqual([
    { task_block_trellis_code: a, metadata: { x: 10.5, y: -4, note: '', group_trellis_code: null } },
    { task_block_trellis_code: b, metadata: { x: 0, y: 0, note: 'Look here', group_trellis_code: null } },
  ])
  const { blocks } = await flows.canvas(code)
  expect(blocks[0]).toMatchObject({ version: 1, metadata: { x: 10.5 } })
  const unknown = [{ task_block_trellis_code: 'zzzzzzzzzzzz', metadata: { x: 1 } }]
  expect((await flows.call(canvas.updateBlockMetadata, { body: { blocks: unknown } })).status).toBe(404)
})

import { readFile } from 'node:fs/promises'
import { exportDataflow, importDataflow } from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import { updateDataflow } from '@trellis/contract/dataflows/dataflows.endpoints'
import {
  putCanvasGroup,
  renameBlock,
  restoreBlock,
  updateBlockMetadata,
} from '@trellis/contract/dataflows/canvas.endpoints'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { startFlowsApp } from '../../../testing/flows-app.ts'
import { type TestFlows, ordersFrom, testFlows, writeTo } from '../testing/flows.ts'
import { toYaml } from './export-yaml.ts'
import { assignKeys } from './file-keys.ts'
import { FlowFile } from '@trellis/dataflow-engine/flow-file/flow-file'
import { listFlowChanges } from './import-yaml.service.ts'
import { readFlowFile } from '@trellis/dataflow-engine/flow-file/read-flow-file'
import { safeParse } from 'zod/mini'

const { app, flows: here } = await startFlowsApp()
const there = await testFlows(app)
afterAll(() => there.workspace.remove())

const exportYaml = async (flows: TestFlows, code: string) =>
  (await flows.call(exportDataflow, { params: { trellis_code: code } })).data.yaml
const put = async (flows: TestFlows, body: object) => (await flows.call(importDataflow, { body } as never)).data

async function makeShop(flows: TestFlows): Promise<string> {
  const code = await flows.dataflow('Shop: daily', { description: 'What the *shop* sells.' })
  const source = await flows.source(code, 'Orders', ordersFrom(await flows.connection('Samples')))
  const clean = await flows.sql(code, 'Clean orders', {
    code: 'select *\nfrom orders\nwhere id is not null;\n',
    write: writeTo('clean', { strategy: 'Replace' }),
  })
  const report = await flows.sql(code, 'Report', { code: "select 'tab:\t' -- it's\n", packages: ['trellis/dates'] })
  const schedule = {
    action: 'Schedule',
    order: 0,
    actionValue: {
      scheduleType: 'Cron Schedule',
      scheduleArgs: { cronExpression: '0 6 * * ? *', timeStandard: 'Europe/Berlin' },
    },
  }
  await flows.change('Source', source, {
    trigger: { eventEvaluationType: 'Or', actions: { a: schedule }, isFormaComplete: true },
  })
  const after = (order: number, of: string) => ({
    action: 'Activity',
    order,
    actionValue: { taskBlockTrellisCode: of },
  })
  await flows.change('Transformation', clean, {
    trigger: { eventEvaluationType: 'Or', actions: { x: after(0, source) }, isFormaComplete: true },
  })
  await flows.change('Transformation', report, {
    trigger: {
      eventEvaluationType: 'And',
      actions: { z: after(0, clean), y: after(1, source) },
      isFormaComplete: true,
    },
  })
  const body = {
    dataflow_trellis_code: code,
    name: 'Cleaning',
    color: 'blue',
    note: 'one\ntwo',
    task_block_trellis_codes: [clean],
  }
  await flows.call(putCanvasGroup, { body } as never)
  const blocks = [{ task_block_trellis_code: clean, metadata: { x: 320, y: -40.5, note: '# Why\n\nBecause.' } }]
  await flows.call(updateBlockMetadata, { body: { blocks } })
  return code
}

test('a dataflow goes to another workspace and comes out as the same text', async () => {
  const code = await makeShop(here)
  const yaml = await exportYaml(here, code)
  expect(yaml.split('\n')[0]).toMatch(/^# yaml-language-server: \$schema=https?:.*\/dataflow\.schema\.json$/)
  expect(yaml).not.toContain(code)
  expect(yaml).toContain('platform: sample_data')
  expect(yaml).toMatch(/code: \|\n\s+select \*\n\s+from orders/)
  expect(yaml).toContain('- after: clean-orders')
  expect(await exportYaml(here, code)).toBe(yaml)

  const trial = await put(there, { yaml, is_trial: true })
  expect(trial).toMatchObject({ trellis_code: null })
  const line = yaml.split('\n').findIndex((text) => text.includes('integration:') && !text.includes('workspace')) + 1
  expect(trial.problems).toEqual([{ line, message: expect.stringContaining('"Samples" (sample_data)') as string }])
  await there.connection('Samples')
  const made = await put(there, { yaml })
  expect(made.problems).toEqual([])
  expect(made.changes.map(({ kind, what }) => `${kind} ${what}`)).toContain('added Block "Clean orders"')
  expect(await exportYaml(there, made.trellis_code ?? '')).toBe(yaml)
  const canvas = await there.canvas(made.trellis_code ?? '')
  expect(canvas.blocks.map(({ publish_state }) => publish_state)).toEqual(['never', 'never', 'never'])
})

test('the same text again changes nothing; another one changes drafts where it differs', async () => {
  const code = await makeShop(here)
  const yaml = await exportYaml(here, code)
  const before = await here.canvas(code)
  expect(await put(here, { yaml, trellis_code: code })).toEqual({
    trellis_code: code,
    changes: [],
    kept: [],
    problems: [],
  })
  expect(await here.canvas(code)).toEqual(before)

  const file = parse(yaml) as FlowFile & {
    blocks: Record<string, { settings: { code: string }; trigger: unknown; name: string }>
  }
  const blocks = file.blocks
  blocks['clean-orders']!.settings.code = 'select 2'
  // Reversing the arrow in steps would create a cycle.
  delete (blocks['clean-orders'] as { trigger?: unknown }).trigger
  blocks['orders']!.trigger = { any: [{ after: 'clean-orders' }] }
  blocks['report']!.trigger = { all: [{ after: 'clean-orders' }] }
  const changed = stringify({ ...file, blocks: { ...blocks, extra: { ...blocks['report'], name: 'Extra' } } })
  const wanted = [
    'changed Block "Clean orders": code, trigger',
    'added Block "Extra"',
    'changed Block "Orders": trigger',
    'changed Block "Report": trigger',
  ]
  const inWords = ({ changes }: { changes: { kind: string; what: string }[] }) =>
    changes.map(({ kind, what }) => `${kind} ${what}`)
  expect(inWords(await put(here, { yaml: changed, trellis_code: code, is_trial: true }))).toEqual(wanted)
  expect(await here.canvas(code)).toEqual(before)
  expect(inWords(await put(here, { yaml: changed, trellis_code: code }))).toEqual(wanted)
  const after = await here.canvas(code)
  const getBlockVersion = (canvas: typeof after, name: string) =>
    canvas.blocks.find((block) => block.name === name)?.version ?? 0
  expect(getBlockVersion(after, 'Clean orders')).toBeGreaterThan(getBlockVersion(before, 'Clean orders'))
  expect(inWords(await put(here, { yaml, trellis_code: code, can_prune: true }))).toContain('removed Block "Extra"')
  expect(await exportYaml(here, code)).toBe(yaml)
})

test.each([
  ['a: [', 1, 'end with a ]'],
  ['trellis: dataflow\nversion: 2\nname: x', 2, 'version'],
  ['trellis: dataflow\nversion: 1\nname: x\nblocks:\n  a:\n    kind: Source\n    colour: red', 5, 'name'],
  [
    'trellis: dataflow\nversion: 1\nname: x\nblocks:\n  a: { kind: Transformation, name: A, at: [0, 0], settings: { code: 3 } }',
    5,
    'code',
  ],
  [
    'trellis: dataflow\nversion: 1\nname: x\nblocks:\n  a:\n    kind: Source\n    name: A\n    at: [0, 0]\n    settings: {}\n    group: gone',
    10,
    'no group "gone"',
  ],
  [
    'trellis: dataflow\nversion: 1\nname: x\nblocks:\n  a:\n    kind: Source\n    name: A\n    at: [0, 0]\n    settings: {}\n    trigger:\n      any:\n        - after: b',
    12,
    'no block "b"',
  ],
])('what is wrong with a text is told by line: %j', async (yaml, line, message) => {
  const { trellis_code, problems } = await put(here, { yaml })
  expect(trellis_code).toBeNull()
  const found = problems.find((problem) => problem.message.toLowerCase().includes(message))
  expect(found?.line, JSON.stringify(problems)).toBe(line)
})

test('blocks a file has no more go together: who waited for them waits no longer, live too, and they can come back', async () => {
  const code = await here.dataflow('Many')
  const first = await here.sql(code, 'First', {
    code: 'select 1',
    write: writeTo('many_first', { strategy: 'Replace' }),
  })
  const second = await here.sql(code, 'Second', {
    code: 'select 2',
    write: writeTo('many_second', { strategy: 'Replace' }),
  })
  const kept = await here.sql(code, 'Kept', { code: 'select 3', write: writeTo('many_kept', { strategy: 'Replace' }) })
  const after = (upstream: string, order: number) => ({
    action: 'Activity',
    order,
    actionValue: { taskBlockTrellisCode: upstream },
  })
  const trigger = (...upstream: string[]) => ({
    eventEvaluationType: 'And',
    actions: Object.fromEntries(upstream.map((item, at) => [`a${at}`, after(item, at)])),
    isFormaComplete: true,
  })
  await here.change('Transformation', second, { trigger: trigger(first) })
  await here.change('Transformation', kept, { trigger: trigger(first, second) })
  for (const block of [first, second, kept]) expect((await here.publish(block)).status).toBe(200)
  const file = parse(await exportYaml(here, code)) as { blocks: Record<string, { trigger?: unknown }> }
  const { kept: stays } = file.blocks
  delete stays?.trigger
  const { changes } = await put(here, {
    yaml: stringify({ ...file, blocks: { kept: stays } }),
    trellis_code: code,
    can_prune: true,
  })
  expect(changes.filter(({ kind }: { kind: string }) => kind === 'removed')).toHaveLength(2)
  const [block, ...others] = (await here.canvas(code)).blocks
  expect(others).toEqual([])
  expect(block).toMatchObject({ name: 'Kept', waits_for: [] })
  const { rows } = await app.database.pool.query<{ settings: string; waits: number }>(
    `select v.settings::text as settings, (select count(*)::int from live_waits w where w.block_id = b.id) as waits
       from task_blocks b join task_block_versions v on v.block_id = b.id and v.version = b.live_version
      where b.trellis_code = $1`,
    [kept],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.waits).toBe(0)
  expect(rows[0]?.settings).not.toContain(first)
  expect(rows[0]?.settings).not.toContain(second)
  for (const gone of [first, second]) {
    const back = await here.call(restoreBlock, { params: { task_block_trellis_code: gone } })
    expect(back.status, back.text).toBe(200)
  }
  expect((await here.canvas(code)).blocks.map(({ name }) => name).toSorted()).toEqual(['First', 'Kept', 'Second'])
})

test('the key of an exported block stays through renames and a restore', async () => {
  const code = await here.dataflow('Keyed')
  const first = await here.sql(code, 'First', { code: 'select 1' })
  const yaml = await exportYaml(here, code)
  await here.call(renameBlock, { body: { task_block_trellis_code: first, name: 'Renamed' } })
  expect(await put(here, { yaml, trellis_code: code, is_trial: true })).toMatchObject({
    changes: [{ kind: 'changed', what: 'Block "Renamed": name' }],
    kept: [],
  })
  // Another block takes the key meanwhile, so the restored one gets a new one.
  await put(here, { yaml: yaml.slice(0, yaml.indexOf('blocks:')), trellis_code: code, can_prune: true })
  await put(here, { yaml, trellis_code: code })
  expect((await here.call(restoreBlock, { params: { task_block_trellis_code: first } })).status).toBe(200)
  const { blocks } = parse(await exportYaml(here, code)) as { blocks: Record<string, { name: string }> }
  expect(Object.entries(blocks).map(([key, { name }]) => `${key}: ${name}`)).toEqual([
    'first: First',
    'renamed: Renamed',
  ])
})

test.each([
  ['a: b', 'There is no block "b"'],
  ['first: second', '"first" is still a block'],
  ['x: first, y: first', 'Only one block'],
])('a changed key that can not be is told by line: %s', async (moved, message) => {
  const block = (name: string) => `  ${name}: { kind: Source, name: ${name}, at: [0, 0], settings: {} }`
  const yaml = `trellis: dataflow\nversion: 1\nname: Moves\nmoved: { ${moved} }\nblocks:\n${block('first')}\n${block('second')}\n`
  const { trellis_code, problems } = await put(here, { yaml, is_trial: true })
  expect([trellis_code, problems[0]?.line]).toEqual([null, 4])
  expect(problems[0]?.message).toContain(message)
})

test('a circle is told by line, tried or not, and nothing of it stays', async () => {
  const block = (name: string, after: string) =>
    `  ${name}: { kind: Transformation, name: ${name}, at: [0, 0], settings: { code: select 1 }, trigger: { any: [{ after: ${after} }] } }`
  const yaml = `trellis: dataflow\nversion: 1\nname: Circle\nblocks:\n${block('a', 'b')}\n${block('b', 'a')}\n`
  for (const is_trial of [true, false]) {
    const { trellis_code, problems } = await put(here, { yaml, is_trial })
    expect([trellis_code, problems[0]?.line]).toEqual([null, 5])
    expect(problems[0]?.message).toContain('"a" → "b" → "a"')
  }
})

test('an address that is as good as a password stays where it is', async () => {
  const code = await here.dataflow('Quiet')
  const alerts = {
    emails: ['a@example.org'],
    webhook_url: 'https://example.org/hook/s3cret',
    on_failure: true,
    on_recovery: false,
    on_later_than_usual: true,
  }
  await here.call(updateDataflow, { params: { relative_trellis_code: code }, body: { alerts } })
  const yaml = await exportYaml(here, code)
  expect(yaml).not.toContain('s3cret')
  await put(here, { yaml: yaml.replace('on_recovery: false', 'on_recovery: true'), trellis_code: code })
  const row = await app.database.db
    .selectFrom('dataflows')
    .select('alerts')
    .where('trellis_code', '=', code)
    .executeTakeFirstOrThrow()
  expect(row.alerts).toMatchObject({ webhook_url: 'https://example.org/hook/s3cret', on_recovery: true })
})

const texts = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\0', ''))
const names = texts.map((text) => `n${text}`.trim().slice(0, 60))
const file = fc
  .uniqueArray(names, { minLength: 1, maxLength: 6, selector: (name) => name.toLowerCase() })
  .chain((all) => {
    const keys = assignKeys(all.map((name) => ({ name })))
    const block = (name: string, at: number) =>
      fc.record(
        {
          kind: fc.constant('Transformation' as const),
          name: fc.constant(name),
          trigger: fc.option(
            fc.record({
              any: fc.uniqueArray(
                fc.oneof(
                  fc.record({ after: fc.constantFrom('', ...keys.slice(0, at)) }),
                  fc.record({
                    schedule: fc.constantFrom({}, { cron: '0 6 * * ? *', zone: 'UTC' }, { hours: 1, minutes: null }),
                  }),
                ),
                { maxLength: 3, selector: (item) => ('after' in item ? item.after : 'schedule of its own') },
              ),
            }),
            { nil: undefined },
          ),
          settings: fc.record({
            code: fc.oneof(
              texts,
              texts.map((text) => `${text}\n  ${text}\n`),
            ),
            packages: fc.array(texts, { maxLength: 2 }),
          }),
          note: fc.option(texts, { nil: undefined }),
          at: fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -1000, max: 1000 })),
        },
        { requiredKeys: ['kind', 'name', 'settings', 'at'] },
      )
    return fc.tuple(...all.map(block)).map((blocks): unknown => {
      const withoutNothing = JSON.parse(JSON.stringify(blocks)) as object[]
      return {
        trellis: 'dataflow',
        version: 1,
        name: all[0],
        blocks: Object.fromEntries(withoutNothing.map((item, at) => [keys[at], item])),
      }
    })
  })

test('whatever a file says, written and read again it means the same', () => {
  fc.assert(
    fc.property(file, (made) => {
      const known = safeParse(FlowFile, made)
      if (!known.success) throw new Error(JSON.stringify(known.error.issues))
      const text = toYaml(known.data)
      const read = readFlowFile(text)
      expect(read.problems).toEqual([])
      expect(listFlowChanges(known.data, read.file!)).toEqual([])
      expect(toYaml(read.file!)).toBe(text)
    }),
    { numRuns: 200 },
  )
})

test('the published schema is the one that the command line brings, and takes every export', async () => {
  const served = await (await fetch(new URL('/dataflow.schema.json', app.url))).text()
  const packed = new URL('../../../../../cli/src/dataflow.schema.json', import.meta.url)
  const wanted = 'node apps/server/src/modules/dataflows/yaml/print-flow-schema.ts > apps/cli/src/dataflow.schema.json'
  expect(JSON.parse(served), wanted).toEqual(JSON.parse(await readFile(packed, 'utf8')))
  const isRight = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(served) as object)
  const file = parse(await exportYaml(here, await makeShop(here))) as FlowFile
  expect(isRight(file), JSON.stringify(isRight.errors)).toBe(true)
  const [key = ''] = Object.keys(file.blocks ?? {})
  const withWrong = (change: object) => ({
    ...file,
    blocks: { ...file.blocks, [key]: { ...file.blocks?.[key], ...change } },
  })
  expect(isRight(withWrong({ kind: 'Sorce' }))).toBe(false)
  expect(isRight(withWrong({ settings: { attempts: 50 } }))).toBe(false)
  expect(isRight(withWrong({ settings: { colour: 'red' } }))).toBe(false)
})

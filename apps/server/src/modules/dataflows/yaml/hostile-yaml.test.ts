import { importDataflow } from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import { getFolderStructure } from '@trellis/contract/dataflows/dataflows.endpoints'
import { expect, test } from 'vitest'
import { startFlowsApp } from '../../../testing/flows-app.ts'
import { readFlowFile } from '@trellis/dataflow-engine/flow-file/read-flow-file'

const { flows } = await startFlowsApp()

const put = async (yaml: string) => await flows.call(importDataflow, { body: { yaml } })
/** With CPU seconds, as wall time depends on the machine's load. */
async function putAtCost(yaml: string) {
  const before = process.cpuUsage()
  const answer = await put(yaml)
  const { user, system } = process.cpuUsage(before)
  return { ...answer, cost: (user + system) / 1_000_000 }
}
const HEAD = 'trellis: dataflow\nversion: 1\nname: Hostile\n'
const block = (trigger: string, more = '') =>
  `${HEAD}blocks:\n  a:\n    kind: Transformation\n    name: A\n    at: [0, 0]\n    settings: { code: select 1 }\n${more}    trigger:\n${trigger}`

/** Each of these blocked the library for more than a minute. */
const BOMBS: [name: string, yaml: string][] = [
  ['keys without end', Array.from({ length: 90_000 }, (_, at) => `k${at}: 1`).join('\n')],
  ['faults without end', `${HEAD}${'x: [}}'.repeat(150_000)}`],
  ['lists in lists', `${HEAD}blocks: ${'['.repeat(500_000)}`],
  ['lists in lists on one line', `${HEAD}blocks:\n  ${'- '.repeat(400_000)}a`],
  ['keys in keys', `${HEAD}blocks:\n  ${'? '.repeat(400_000)}a`],
  [
    'texts that double',
    `a: &a [x]\n${Array.from({ length: 26 }, (_, at) => `b${at}: &b${at} [${at === 0 ? '*a, *a' : `*b${at - 1}, *b${at - 1}`}]`).join('\n')}`,
  ],
]

test.each(BOMBS)('%s are refused, soon', async (_, yaml) => {
  const { status, data, cost } = await putAtCost(yaml)
  expect(cost).toBeLessThan(15)
  expect(status).toBe(200)
  expect(data.trellis_code).toBeNull()
  expect(data.problems.length).toBeGreaterThan(0)
  expect(data.problems.length).toBeLessThanOrEqual(50)
})

test('the same key twice is told with its line, wherever it is', () => {
  expect(readFlowFile(`${HEAD}name: Again\n`).problems).toEqual([{ line: 4, message: 'Map keys must be unique' }])
  expect(readFlowFile(`${HEAD}groups:\n  g: { name: a, color: gray, name: b }\n`).problems).toMatchObject([{ line: 5 }])
})

test('a large file is taken in as a whole, soon', async () => {
  const one = (at: number) =>
    `  b${at}: { kind: Transformation, name: B${at}, at: [0, 0], settings: { code: select 1 }, trigger: { any: [${at > 0 ? `{ after: b${at - 1} }` : ''}] } }`
  const { data, cost } = await putAtCost(
    `${HEAD}blocks:\n${Array.from({ length: 500 }, (_, at) => one(at)).join('\n')}\n`,
  )
  expect(cost).toBeLessThan(20)
  expect(data.problems).toEqual([])
  const { blocks } = await flows.canvas(data.trellis_code ?? '')
  expect(blocks).toHaveLength(500)
  expect(blocks.filter(({ waits_for }) => waits_for.length === 1)).toHaveLength(499)
})

const cron = (text: string) => `        - schedule: { cron: ${JSON.stringify(text)}, zone: UTC }\n`

/** Invalid triggers must not enter through a file, as the block could not be opened. */
test.each([
  ['two schedules', `      any:\n${cron('0 6 * * ? *')}${cron('0 7 * * ? *')}`],
  ['more actions than there may be', `      any:\n${'        - after: ""\n'.repeat(101)}`],
  ['the same block twice', '      any:\n        - after: b\n        - after: b\n'],
  ['a cron text without end', `      any:\n${cron('0,'.repeat(5000))}`],
  ['a zone without end', `      any:\n        - schedule: { cron: 0 6 * * ? *, zone: ${'x'.repeat(300)} }\n`],
])('%s in a trigger are refused', async (_, trigger) => {
  const other = '  b:\n    kind: Transformation\n    name: B\n    at: [0, 0]\n    settings: { code: select 1 }\n'
  const { data } = await put(`${block(trigger)}${other}`)
  expect(data).toMatchObject({
    trellis_code: null,
    problems: [{ message: expect.stringContaining('blocks.a.trigger') }],
  })
})

test.each([
  ['a NUL in a name', HEAD.replace('Hostile', '"a\\0b"')],
  ['a NUL in a description', `${HEAD}description: "a\\0b"\n`],
  ['half a character in a description', `${HEAD}description: "a\\ud800b"\n`],
  [
    'half a character in code',
    `${HEAD}blocks:\n  a: { kind: Transformation, name: A, at: [0, 0], settings: { code: "\\ud800" } }\n`,
  ],
  [
    'half a character in a key of settings',
    `${HEAD}blocks:\n  a: { kind: Destination, name: A, at: [0, 0], settings: { query: { "\\ud800": {} } } }\n`,
  ],
  [
    'the prototype of everything',
    `${HEAD}blocks:\n  a: { kind: Destination, name: A, at: [0, 0], settings: { query: { __proto__: { isAdmin: true } } } }\n`,
  ],
  ['a tag of another language', `${HEAD}description: !!js/function "function () {}"\n`],
])('%s breaks nothing', async (_, yaml) => {
  const { status, data } = await put(yaml)
  expect(status).toBeLessThan(500)
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  // Whatever was accepted must be readable.
  expect((await flows.call(getFolderStructure, {})).status).toBe(200)
  if (status === 200 && data.trellis_code) await flows.canvas(data.trellis_code)
})

import { exportDataflow, importDataflow } from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import { updateBlockMetadata } from '@trellis/contract/dataflows/canvas.endpoints'
import type { FlowFile } from '@trellis/dataflow-engine/flow-file/flow-file'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { startFlowsApp } from '../../../testing/flows-app.ts'

const { flows } = await startFlowsApp()
const readFile = async (code: string) =>
  parse((await flows.call(exportDataflow, { params: { trellis_code: code } })).data.yaml) as FlowFile
const put = async (body: object) => (await flows.call(importDataflow, { body } as never)).data

test('what a file leaves out is as in a new block; applied again it changes nothing, and places stay', async () => {
  await flows.connection('Left out')
  const yaml = `
trellis: dataflow
version: 1
name: Short
blocks:
  orders:
    kind: Source
    name: Orders
    integration: { platform: sample_data, name: Left out }
    settings:
      subtasks:
        - name: Daily orders
          query: { data: { stream: orders } }
        - name: Others
          query: { data: { stream: customers } }
          write: { table_name: others, bad_rows: { choice: stop } }
  report:
    kind: Transformation
    name: Report
    trigger: { any: [{ after: orders }] }
    settings: { code: select 1, write: { table_name: report } }
  later: { kind: Destination, name: Later, integration: { platform: sample_data, name: Left out }, trigger: { any: [{ after: report }] } }
  own: { kind: Source, name: Own, integration: workspace database, settings: { subtasks: [{ name: Own }] } }
`
  const { trellis_code, problems } = await put({ yaml })
  expect(problems).toEqual([])
  const code = trellis_code ?? ''
  const { blocks } = await flows.canvas(code)
  const orders = blocks.find(({ name }) => name === 'Orders')
  expect(orders?.faults).toEqual([])
  const start = { schema_name: 'data', strategy: 'Append', dataModel: null, schema_policy: 'evolve' }
  const exported = await readFile(code)
  expect(exported.blocks?.['orders']?.settings).toMatchObject({
    attempts: 3,
    subtasks: [
      {
        is_incremental: false,
        query: { data: { stream: 'orders' } },
        write: { ...start, table_name: 'daily_orders', bad_rows: { choice: 'quarantine', most: 1000 } },
      },
      { write: { ...start, table_name: 'others', bad_rows: { choice: 'stop', most: 1000 } } },
    ],
  })
  expect(exported.blocks?.['later']?.settings).toMatchObject({
    query: { receiver: { name: 'Report' } },
    strategy: 'Append',
  })
  expect(exported.blocks?.['own']?.settings).toMatchObject({
    subtasks: [{ query: { query: { kind: 'table' } } }],
  })
  const [one, two, three] = ['orders', 'report', 'later'].map((key) => exported.blocks?.[key]?.at?.[0] ?? 0)
  expect([two! > one!, three! > two!]).toEqual([true, true])

  expect(await put({ yaml, trellis_code: code })).toMatchObject({ changes: [] })
  const metadata = { x: 7, y: 9, note: '' }
  await flows.call(updateBlockMetadata, {
    body: { blocks: [{ task_block_trellis_code: orders?.task_block_trellis_code ?? '', metadata }] },
  })
  expect(await put({ yaml: yaml.replace('select 1', 'select 2'), trellis_code: code })).toMatchObject({
    changes: [{ kind: 'changed', what: 'Block "Report": code' }],
  })
  const again = await readFile(code)
  expect(again.blocks?.['orders']?.at).toEqual([7, 9])
})

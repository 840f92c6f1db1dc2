import * as canvas from '@trellis/contract/integrations/canvas-sources.endpoints'
import { deleteIntegration, describeIntegration } from '@trellis/contract/integrations/integrations.endpoints'
import * as blocks from '@trellis/contract/dataflows/canvas.endpoints'
import { deleteDataflow } from '@trellis/contract/dataflows/dataflows.endpoints'
import { expect, test } from 'vitest'
import { startFlowsApp } from '../../../testing/flows-app.ts'
import { ordersFrom } from '../testing/flows.ts'

const { flows } = await startFlowsApp()

const remove = (code: string) => flows.call(deleteIntegration, { params: { integration_trellis_code: code } })

test('a connection that blocks use is not deleted, and the blocks are named', async () => {
  const shop = await flows.connection('Shop')
  const flow = await flows.dataflow('Daily')
  const orders = await flows.source(flow, 'Orders', ordersFrom(shop))
  await flows.source(flow, 'Customers', ordersFrom(shop))
  const refusedResponse = await remove(shop)
  expect(refusedResponse.errors[0]).toMatchObject({
    code: 'integration_in_use',
    detail: expect.stringContaining('the dataflow "Daily (Customers, Orders)"') as string,
  })
  const { used_by } = (await flows.call(describeIntegration, { params: { integration_trellis_code: shop } })).data
  expect(used_by).toEqual([{ kind: 'dataflow', trellis_code: flow, name: 'Daily (Customers, Orders)' }])

  await flows.call(deleteDataflow, { params: { trellis_code: flow } })
  expect((await remove(shop)).status, 'nobody uses it now').toBe(200)
  expect((await flows.read('Source', orders)).status).toBe(404)
})

test('what is live holds a connection too, even when the draft has another', async () => {
  const [first, second] = [await flows.connection('First'), await flows.connection('Second')] as const
  const flow = await flows.dataflow('Live')
  const block = await flows.source(flow, 'Orders', ordersFrom(first))
  expect((await flows.publish(block)).status).toBe(200)
  await flows.change('Source', block, { integration_trellis_code: second })
  expect((await remove(first)).errors[0]?.detail).toContain('"Live (Orders)"')
  expect((await remove(second)).errors[0]?.detail).toContain('"Live (Orders)"')
  await flows.publish(block)
  expect((await remove(first)).status).toBe(200)
  await flows.call(blocks.deleteBlock, { params: { task_block_trellis_code: block } })
  expect((await remove(second)).status).toBe(200)
  const back = await flows.call(blocks.restoreBlock, { params: { task_block_trellis_code: block } })
  expect(back.data.faults).toContainEqual({
    kind: 'invalid',
    path: 'integration_trellis_code',
    message: 'This connection is no longer there. Choose another one.',
  })
})

test('the data model of a subtask is found by its task block', async () => {
  const shop = await flows.connection('Model')
  const flow = await flows.dataflow('Model')
  const block = await flows.source(flow, 'Orders', ordersFrom(shop))
  const read = (id: string, subtask_name: string) =>
    flows.call(canvas.getSourceDataModel, { params: { id }, query: { subtask_name } })
  const model = await read(block, 'orders')
  expect(model.data).toEqual((await read(shop, 'orders')).data)
  expect(Object.keys(model.data.fields)).toContain('order_id')
  expect((await read(block, 'nothing')).status).toBe(404)
  const empty = await flows.source(flow, 'Empty')
  expect((await read(empty, 'orders')).status).toBe(404)
  await flows.change('Source', block, { integration_trellis_code: null })
  expect((await read(block, 'orders')).errors[0]?.code).toBe('integration_incomplete')
  const judgedResponse = await flows.call(canvas.validateGaql, { params: { id: block }, body: { query: 'SELECT' } })
  expect(judgedResponse.errors[0]?.code).toBe('integration_incomplete')
})

import { screen } from '@testing-library/react'
import {
  createDataflows,
  fakeBlock,
  fakeSettings,
  type FakeBlock,
  type FakeSettings,
} from '../../../../testing/dataflows/fake-dataflows.ts'
import { openApp } from '../../../../testing/render-app.tsx'

export const setupPath = (block: string) => `/northwind/growth/dataflow/d-revenue/editor/task/${block}/setup`

export const readSettings = (more: object = {}): FakeSettings =>
  fakeSettings('Source', {
    integration_trellis_code: 'i-shop',
    subtasks: [
      {
        name: 'Orders',
        query: { table: { table: { schema: 'public', table: 'orders' } } },
        is_incremental: false,
        write: {
          schema_name: 'public',
          table_name: 'orders',
          strategy: 'Append',
          dataModel: null,
          schema_policy: 'evolve',
          bad_rows: { choice: 'quarantine', most: 1000 },
        },
      },
    ],
    ...more,
  })

export async function openSetup(facts: Partial<FakeBlock> & Pick<FakeBlock, 'kind'>) {
  const dataflows = createDataflows()
  const block = fakeBlock('b-here', { name: 'Here', x: 0, y: 0, platform_trellis_code: 'postgresql', ...facts })
  dataflows.blocks.push(block)
  const app = openApp(setupPath('b-here'), { dataflows })
  await screen.findByRole('heading', { name: 'Trigger details' })
  return {
    ...app,
    block: () =>
      app.world.dataflows.blocks.find((candidate) => candidate.task_block_trellis_code === 'b-here') as FakeBlock,
  }
}

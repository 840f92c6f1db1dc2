import type { ConsoleRequest } from '@trellis/contract/ai/console.endpoints'
import { FakeError } from './fake-error.ts'
import { FAKE_DATABASE } from './fake-explorer.ts'
import type { Handler } from './fake-handler.ts'

const SCHEMA = 'sandbox'

const describeSandbox: Handler = ({ explorer }) => ({
  integration_trellis_code: FAKE_DATABASE,
  schema_name: SCHEMA,
  is_ready: explorer.hasSandbox,
  tables: explorer.hasSandbox
    ? [
        { table_name: 'orders', kind: 'table', rows_estimate: 4000 },
        { table_name: 'daily_revenue', kind: 'view', rows_estimate: null },
      ]
    : [],
})

export const sandboxHandlers: Record<string, Handler> = {
  getSandbox: describeSandbox,
  resetSandbox: (world, input) => {
    world.explorer.hasSandbox = true
    return describeSandbox(world, input)
  },
  askModelConsole: (_, { body }) => {
    const { prompt, model = 'usual', tools } = body as ConsoleRequest
    if (prompt === 'fail') throw new FakeError('integration_problem', { detail: 'The model did not answer in time.' })
    return {
      model,
      text: `You said: ${prompt}`,
      calls: tools.map(({ name }) => ({ name, arguments: '{}' })),
      input_tokens: 1200,
      output_tokens: 34,
      first_ms: 300,
      duration_ms: 1500,
      credits_spent: 0,
    }
  },
}

import { decideSchemaChange } from '@trellis/contract/runs/runs.endpoints'
import type { SchemaQuestion } from '@trellis/contract/runs/runs.schemas'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../testing/test-app.ts'
import { testFlows } from '../dataflows/testing/flows.ts'
import { addRun } from '../dataflows/testing/made-up-runs.ts'

const app = await startTestApp()
afterAll(() => app.close())
const flows = await testFlows(app)
afterAll(() => flows.workspace.remove())

const QUESTION: SchemaQuestion = {
  changes: [
    {
      id: 'widen:amount:decimal',
      in_words: 'amount becomes decimal number; it was bigint.',
      if_kept: 'amount stays bigint; rows with values that do not fit are rejected.',
      held: { column: 'amount', in_words: 'The view data.totals uses amount.' },
    },
  ],
  table: { schema: 'data', table: 'ledger' },
  can_keep: true,
  decision: null,
}

async function pause(): Promise<string> {
  const flow = await flows.dataflow('Daily')
  const block = await flows.sql(flow, 'Ledger')
  await flows.publish(block)
  const run = await addRun(app, block, { status: 'FAILED' })
  const problem = { kind: 'schema_changed', message: 'amount', advice: null, subtask: 'ledger', question: QUESTION }
  await app.database.pool.query('update task_runs set problem = $1 where id = $2', [problem, run.id])
  return run.code
}

const decide = (code: string, choice: 'accept' | 'keep') =>
  flows.call(decideSchemaChange, { params: { task_run_trellis_code: code }, body: { choice } })

test('what a view holds can be accepted once the view is dropped, which is looked at again', async () => {
  await flows.workspace.sql(
    'create table data.ledger (id bigint primary key, amount bigint, note text)',
    'create view data.totals as select sum(amount) from data.ledger',
    'create view data.notes as select note from data.ledger',
  )
  const code = await pause()
  const held = await decide(code, 'accept')
  expect(held.status).toBe(409)
  expect(held.text).toContain('The view data.totals uses amount, so that the type of amount can’t change.')
  await flows.workspace.sql('drop view data.totals')
  const accepted = await decide(code, 'accept')
  expect(accepted.status, accepted.text).toBe(200)
  expect((await decide(code, 'accept')).status, 'one decision').toBe(409)
})

test('a second question of a run keeps the answers to the first', async () => {
  const code = await pause()
  const answers = { ledger: { 'gone:city': 'change' }, other: { 'add:x': 'keep' } }
  const request = JSON.stringify({ answers })
  await app.database.pool.query('update task_runs set request = request || $1 where trellis_code = $2', [request, code])
  const { data } = await decide(code, 'keep')
  const { rows } = await app.database.pool.query('select request from task_runs where trellis_code = $1', [
    data.task_run_trellis_code,
  ])
  expect(rows[0]).toMatchObject({
    request: {
      answers: { ledger: { 'gone:city': 'change', 'widen:amount:decimal': 'keep' }, other: { 'add:x': 'keep' } },
    },
  })
})

test('the table can be kept while a view holds it', async () => {
  await flows.workspace.sql('create view data.totals as select sum(amount) from data.ledger')
  const keptResponse = await decide(await pause(), 'keep')
  expect(keptResponse.status, keptResponse.text).toBe(200)
})

import * as calls from '@trellis/contract/sql/sql.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { type SqlRunner, createSqlRunner } from './testing/sql-runner.ts'

let app: TestApp
let workspace: ReadyWorkspace
let owner: SqlRunner

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  owner = createSqlRunner(workspace.account.owner, workspace)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

/** Surrogate pairs across every possible cut. */
const PAIRS = "repeat('😀', 20000)"
const SHIFTED = `'x' || ${PAIRS}`

const isWhole = (text: string) => text.length > 0 && text.isWellFormed()

test.each([PAIRS, SHIFTED])('a cell, a notice and an error are cut between characters: %s', async (text) => {
  const cells = await owner.run(`select ${text}`)
  const [[cell]] = (await owner.rows(cells)) as [[string]]
  expect(isWhole(cell)).toBe(true)
  expect(cell.length).toBeLessThan(20_000)
  const noticed = await owner.run(`do $$ begin raise notice '%', ${text}; end $$`)
  expect(noticed.status).toBe('completed')
  expect(noticed.statements[0]?.notices.map(({ message }) => isWhole(message))).toEqual([true])
  const failed = await owner.run(`do $$ begin raise exception '%', ${text}; end $$`)
  expect(failed.status).toBe('failed')
  expect(failed.statements[0]?.problem?.code).toBe('P0001')
  expect(isWhole(failed.statements[0]?.problem?.message ?? '')).toBe(true)
})

test.each(['', ' '])('a text whose beginning is noted runs wherever the note is cut%s', async (shift) => {
  const sql = `select${shift} '${'😀'.repeat(300)}'`
  const answer = await owner.client.call(calls.executeSql, {
    params: workspace.tenant,
    body: { ...workspace.database, sql, wait_ms: 150 },
  })
  expect(answer.status).toBe(200)
  expect((await owner.settle(answer.data)).status).toBe('completed')
})

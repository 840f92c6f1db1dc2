import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SqlRunner, createSqlRunner } from '../testing/sql-runner.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { sqlBombs } from './sql-bombs.ts'

let app: TestApp
let workspace: ReadyWorkspace
let neighbour: ReadyWorkspace
let attacker: SqlRunner
let victim: SqlRunner

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  neighbour = await makeReadyWorkspace(app, { address: 'neighbour' })
  attacker = createSqlRunner(workspace.account.owner, workspace)
  victim = createSqlRunner(neighbour.account.owner, neighbour)
})
afterAll(async () => {
  await workspace.remove()
  await neighbour.remove()
  await app.close()
})

describe('a SQL bomb', () => {
  test('is one of at least twelve', () => expect(sqlBombs.length).toBeGreaterThanOrEqual(12))

  test.each(sqlBombs.map((bomb) => [bomb.name, bomb] as const))('ends: %s', async (_, bomb) => {
    const going = await attacker.start(bomb.sql, { timeout_seconds: 1, keep_running: true })
    const other = await victim.run('select 1 as n')
    expect([other.status, await victim.rows(other)]).toEqual(['completed', [['1']]])
    const job = await attacker.settle(going)
    const code = job.problem?.code ?? job.statements.find(({ problem }) => problem)?.problem?.code ?? 'none'
    expect(bomb.ends).toContain(code)
    expect(JSON.stringify(job).length).toBeLessThan(1_000_000)
  })

  test('leaves no session and no lock behind', async () => {
    const cluster = await app.ctx.ports.cluster.open()
    await expect
      .poll(async () => {
        const text = "select from pg_stat_activity where datname = $1 and state <> 'idle'"
        return (await cluster.admin.query(text, [`w_${workspace.key}`])).rowCount
      })
      .toBe(0)
    expect((await attacker.run('lock table held; select 1')).status).not.toBe('running')
    expect((await attacker.run('drop table held')).status).toBe('completed')
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { type SqlRunner, createSqlRunner } from '../testing/sql-runner.ts'
import { listReferences, maskReferences } from './result-references.ts'

const ID = '3f2a8c1e-0b8e-4c1e-9abc-0123456789ab'

describe('references to results', () => {
  test('are found outside of quotes and comments, and replaced by tables of the same length', () => {
    const sql = `select '@result.${ID}', "@result.${ID}" -- @result.${ID}
      /* @result.${ID} */ from @result.${ID} a, @RESULT.${ID.toUpperCase()}_12 b, $x$@result.${ID}$x$, @result.${ID}_x`
    const references = listReferences(sql)
    expect(references.map(({ jobId, statement }) => [jobId, statement])).toEqual([
      [ID, 0],
      [ID, 11],
    ])
    const masked = maskReferences(sql)
    expect(masked).toHaveLength(sql.length)
    expect(masked.match(/trellis_results\."r0+"/g)).toHaveLength(2)
  })
})

describe('a result', () => {
  let app: TestApp
  let workspace: ReadyWorkspace
  let owner: SqlRunner
  let other: SqlRunner

  beforeAll(async () => {
    app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
    workspace = await makeReadyWorkspace(app)
    owner = createSqlRunner(workspace.account.owner, workspace)
    other = createSqlRunner((await joinNewPerson(app, workspace.account, { role: ADMIN })).client, workspace)
    await workspace.sql("create type data.mood as enum ('good', 'bad')")
  })
  afterAll(async () => {
    await workspace.remove()
    await app.close()
  })

  const countTables = async () => {
    const cluster = await app.ctx.ports.cluster.open()
    return await cluster.withAdmin(`w_${workspace.key}`, async (client) => {
      const text = "select from pg_class where relnamespace::regnamespace::text = 'trellis_results' and relkind = 'r'"
      return (await client.query(text)).rowCount
    })
  }

  test('is a table with its types in another query, and gone after it', async () => {
    const first = await owner.run(
      `select n, n * 1.5 as amount, date '2026-01-01' + n as day, E'a\\tb\\n\\\\' as word, null::text as nothing,
              'good'::mood as m, n as n from generate_series(1, 15000) n; select 7 as seven`,
      { row_limit: 100_000 },
    )
    const sql = `select count(*), sum(amount), max(day) + 1, min(word) = E'a\\tb\\n\\\\', count(nothing), min(m), max(n_2),
      (select seven + 1 from @result.${first.job_id}_2) from @result.${first.job_id} r where n > 10000`
    const job = await owner.run(sql)
    expect(job.statements[0]?.problem).toBe(null)
    expect(await owner.rows(job)).toEqual([['5000', '93753750.0', '2067-01-27', 't', '0', 'good', '15000', '8']])
    expect(await countTables()).toBe(0)
  })

  test('keeps the place of an error', async () => {
    const first = await owner.run('select 1 as n')
    const sql = `select n, oops from @result.${first.job_id}; select 2`
    const job = await owner.run(sql)
    expect(job.statements[0]?.problem).toMatchObject({ code: '42703', position: sql.indexOf('oops') })
  })

  test('is its own person’s alone, and told apart when it is gone', async () => {
    const first = await owner.run('select 1 as n')
    const text = `select * from @result.${first.job_id}`
    expect((await other.run(text)).problem).toMatchObject({ code: 'not_found' })
    expect((await owner.run(`select * from @result.${ID}`)).problem).toMatchObject({ code: 'not_found' })
    expect((await owner.run(`${text}_2`)).problem).toMatchObject({ code: 'not_found' })
    await app.database.pool.query("update sql_jobs set expires_at = now() - interval '1 minute' where id = $1", [
      first.job_id,
    ])
    expect((await owner.run(text)).problem?.message).toMatch(/has expired/)
  })

  test('is read by no other session while it is a table', async () => {
    const first = await owner.run('select 1 as n')
    const reading = await owner.start(`select count(*) from @result.${first.job_id}, generate_series(1, 2000000000)`)
    await expect.poll(countTables).toBe(1)
    const list =
      "select relname from pg_class where relnamespace::regnamespace::text = 'trellis_results' and relkind = 'r'"
    const [[name] = []] = await other.rows(await other.run(list))
    const stolen = await other.run(`select count(*) from trellis_results."${name}"`)
    expect(await other.rows(stolen)).toEqual([['0']])
    expect((await other.run(`drop table trellis_results."${name}"`)).status).toBe('failed')
    await owner.cancel(reading)
    await expect.poll(countTables).toBe(0)
  })
})

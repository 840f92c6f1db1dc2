import { beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from './cluster.ts'
import { decodeRows } from './session/row-bytes.ts'
import { type Session, withSession } from './session.ts'
import { testCluster, testWorkspace, type TestWorkspace } from './testing.ts'

let cluster: Cluster
let workspace: TestWorkspace

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  await workspace.runAll('rw', [
    'create table numbers (n int primary key, word text)',
    "insert into numbers select n, 'word ' || n from generate_series(1, 2000) n",
  ])
})

describe('results', () => {
  it('gives columns and values as Postgres writes them', async () => {
    const result = await workspace.run(
      'ro',
      "select 1.10::numeric as n, null as nothing, timestamptz '2024-02-29 12:00+02' as t",
    )
    expect(result).toMatchObject({ command: 'SELECT', rowCount: 1, cutAt: undefined })
    expect(result.columns.map((column) => column.name)).toEqual(['n', 'nothing', 't'])
    expect(result.rows).toEqual([['1.10', null, '2024-02-29 10:00:00+00']])
  })

  it('gives the columns of an empty result', async () => {
    const result = await workspace.run('ro', 'select n from numbers where false')
    expect(result).toMatchObject({ columns: [{ name: 'n', typeId: 23 }], rows: [], rowCount: 0 })
  })

  it('passes values apart from the statement', async () => {
    const { database, credentials } = workspace
    const result = await withSession(cluster, { database, credentials, role: 'ro' }, (session) =>
      session.query({ text: 'select $1::text, $2::text', values: ["'; drop table numbers; --", null] }),
    )
    expect(result.rows).toEqual([["'; drop table numbers; --", null]])
  })

  it('counts changed rows and names the command', async () => {
    expect(await workspace.run('rw', 'update numbers set word = word where n <= 3')).toMatchObject({
      command: 'UPDATE',
      rowCount: 3,
    })
    expect(await workspace.run('rw', 'create table made ()')).toMatchObject({ command: 'CREATE TABLE', rowCount: 0 })
    expect(await workspace.run('rw', '')).toMatchObject({ command: '', rowCount: 0, rows: [] })
  })

  it('keeps every row of a result that takes many steps', async () => {
    const result = await workspace.run('ro', 'select n from numbers order by n')
    expect(result.rowCount).toBe(2000)
    expect(result.rows.map((row) => Number(row[0]))).toEqual(Array.from({ length: 2000 }, (_, i) => i + 1))
  })

  it('reports a constraint that fails only at the end of the statement', async () => {
    await workspace.runAll('rw', [
      'create table parent (id int primary key)',
      'create table child (id int references parent deferrable initially deferred)',
    ])
    const { database, credentials } = workspace
    const next = await withSession(cluster, { database, credentials, role: 'rw' }, async (session) => {
      const failing = session.query({ text: 'insert into child values (1) returning id' })
      await expect(failing).rejects.toMatchObject({ code: 'statement_failed', sqlState: '23503' })
      return session.query({ text: 'select count(*) from child' })
    })
    expect(next.rows).toEqual([['0']])
  })

  it('goes on in the same session after a failed statement', async () => {
    const { database, credentials } = workspace
    const seenResult = await withSession(cluster, { database, credentials, role: 'ro' }, async (session) => {
      await expect(session.query({ text: 'select 1/0' })).rejects.toMatchObject({ code: 'statement_failed' })
      return session.query({ text: 'select 2' })
    })
    expect(seenResult.rows).toEqual([['2']])
  })
})

describe('limits on results', () => {
  it('cuts at the row limit and says so', async () => {
    const cut = await workspace.run('ro', 'select n from numbers', { maxRows: 1500 })
    expect(cut).toMatchObject({ cutAt: 'rows', rowCount: 1500 })
    expect(cut.rows).toHaveLength(1500)
    expect(await workspace.run('ro', 'select n from numbers', { maxRows: 2000 })).toMatchObject({ cutAt: undefined })
  })

  it('cuts at the byte limit and says so', async () => {
    const result = await workspace.run('ro', "select repeat('x', 10000) from numbers", { maxBytes: 200_000 })
    expect(result.cutAt).toBe('bytes')
    expect(result.rows.length).toBeGreaterThan(15)
    expect(result.rows.length).toBeLessThanOrEqual(20)
  })

  it('refuses one row larger than the byte limit before it is in memory', async () => {
    const before = process.memoryUsage().rss
    await expect(workspace.run('ro', "select repeat('x', 100000000)")).rejects.toMatchObject({
      code: 'result_too_large',
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(90 * 1024 * 1024)
  })

  it('never keeps all rows of a writing statement from being written', async () => {
    const result = await workspace.run(
      'rw',
      'insert into numbers select n from generate_series(3001, 3100) n returning n',
      {
        maxRows: 10,
      },
    )
    expect(result).toMatchObject({ cutAt: 'rows', rowCount: 10 })
    expect((await workspace.run('ro', 'select count(*) from numbers where n > 3000')).rows).toEqual([['100']])
  })

  it('fetches no more than the reader asks for, and the session stays usable when it stops', async () => {
    const { database, credentials } = workspace
    const limits = { maxRows: Infinity, maxBytes: Infinity }
    const result = await withSession(cluster, { database, credentials, role: 'rw', limits }, async (session) => {
      await session.query({ text: 'create sequence asked' })
      let read = 0
      const text = "select nextval('asked'), repeat('y', 1000) from generate_series(1, 1000000)"
      for await (const batch of session.stream({ text })) {
        read += batch.rows.length
        if (read > 2000) break
      }
      return { read, made: await session.query({ text: 'select last_value from asked' }) }
    })
    expect(Number(result.made.rows[0]?.[0])).toBe(result.read)
  })
})

describe('rows that are asked for ahead', () => {
  const WIDE = "select n, repeat('y', 1000) from generate_series(1, 5000) n"
  const target = (limits: { maxRows?: number; maxBytes?: number }) => {
    const { database, credentials } = workspace
    return { database, credentials, role: 'rw' as const, limits: { maxRows: 10_000, maxBytes: 1e9, ...limits } }
  }
  async function readAll(session: Session, text: string) {
    const numbers: number[] = []
    const batches = session.streamBytes({ text })
    for (;;) {
      const step = await batches.next()
      if (step.done) return { numbers, ...step.value }
      for (const [n] of decodeRows(step.value)) numbers.push(Number(n))
    }
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

  it.each([5000, 4999, 2048, 11, 10, 1])('come once each and in their order, up to %i', async (maxRows) => {
    await withSession(cluster, target({ maxRows }), async (session) => {
      const { numbers, cutAt } = await readAll(session, WIDE)
      expect(numbers).toEqual(upTo(maxRows))
      expect(cutAt).toBe(maxRows < 5000 ? 'rows' : undefined)
      expect(await readAll(session, 'select 7')).toMatchObject({ numbers: [7], command: 'SELECT' })
    })
  })

  it('are dropped where the bytes are cut, and the session stays usable', async () => {
    await withSession(cluster, target({ maxBytes: 1_500_000 }), async (session) => {
      const { numbers, cutAt } = await readAll(session, WIDE)
      expect(cutAt).toBe('bytes')
      expect(numbers).toEqual(upTo(numbers.length))
      expect(numbers.length).toBeGreaterThan(1300)
      expect((await readAll(session, 'select 7')).numbers).toEqual([7])
    })
  })

  it('end with the error of a row that comes later', async () => {
    await withSession(cluster, target({}), async (session) => {
      const failing = "select n, repeat('y', 1000), 1 / (4000 - n) from generate_series(1, 5000) n"
      await expect(readAll(session, failing)).rejects.toMatchObject({ sqlState: '22012' })
      expect((await readAll(session, 'select 7')).numbers).toEqual([7])
    })
  })

  it('are ended with the statement when the reader stops', async () => {
    await withSession(cluster, target({}), async (session) => {
      for await (const batch of session.streamBytes({ text: WIDE })) if (batch.rows > 100) break
      expect((await readAll(session, 'select 7')).numbers).toEqual([7])
    })
  })

  describe('and get larger on the way', () => {
    const GROWING =
      "select n, repeat('y', case when n <= 45000 then 1 else 300000 end) from generate_series(1, 45300) n"
    const all = { maxRows: 100_000 }

    it('come in pieces that fit into memory, by either way', async () => {
      await withSession(cluster, target(all), async (session) => {
        let rows = 0
        let largest = 0
        for await (const batch of session.streamBytes({ text: GROWING })) {
          rows += batch.rows
          largest = Math.max(largest, batch.bytes.length)
        }
        expect(rows).toBe(45_300)
        expect(largest).toBeLessThan(8_000_000)
        expect((await readAll(session, GROWING)).numbers).toEqual(upTo(45_300))
      })
    })

    it('are cut, left, and ended by an error in the middle of a piece', async () => {
      await withSession(cluster, target({ ...all, maxBytes: 20_000_000 }), async (session) => {
        const { numbers, cutAt } = await readAll(session, GROWING)
        expect(cutAt).toBe('bytes')
        expect(numbers).toEqual(upTo(numbers.length))
        expect((await readAll(session, 'select 7')).numbers).toEqual([7])
      })
      await withSession(cluster, target(all), async (session) => {
        for await (const batch of session.streamBytes({ text: GROWING })) if (batch.bytes.length > 3_000_000) break
        expect((await readAll(session, 'select 7')).numbers).toEqual([7])
        const failing = GROWING.replace('select n,', 'select n, 1 / (45290 - n),')
        await expect(readAll(session, failing)).rejects.toMatchObject({ sqlState: '22012' })
        expect((await readAll(session, 'select 7')).numbers).toEqual([7])
      })
    })
  })

  it('of a statement that changes rows are given as well', async () => {
    await withSession(cluster, target({}), async (session) => {
      await session.query({ text: 'create table wide (n int, word text)' })
      const inserted = await readAll(session, `insert into wide ${WIDE} returning n, word`)
      expect(inserted).toMatchObject({ command: 'INSERT', numbers: upTo(5000) })
      expect((await readAll(session, 'show server_version_num')).numbers).toHaveLength(1)
    })
  })
})

describe('errors', () => {
  it('points at the place of a syntax error', async () => {
    await expect(workspace.run('ro', 'select n frm numbers')).rejects.toMatchObject({
      name: 'WorkspaceDbError',
      code: 'syntax',
      position: 14,
    })
  })

  it('takes one statement at a time', async () => {
    await expect(workspace.run('rw', 'select 1; drop table numbers')).rejects.toMatchObject({
      code: 'syntax',
      message: 'Only one statement can be run at a time.',
    })
    await expect(workspace.run('rw', 'select 1\0; select 2')).rejects.toMatchObject({ code: 'syntax' })
  })

  it('never names the database or its roles', async () => {
    const texts = [
      'create schema more',
      `set role ${workspace.roles.readOnly}`,
      `select pg_read_file('${workspace.roles.owner}')`,
      `drop database ${workspace.database}`,
      `do $$ begin raise exception 'I am %', current_user; end $$`,
    ]
    for (const text of texts) {
      const error: unknown = await workspace.run('rw', text).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ name: 'WorkspaceDbError' })
      expect((error as Error).message).not.toContain(workspace.key)
    }
  })

  it('cuts the text of an error a statement made endless', async () => {
    const error: unknown = await workspace
      .run('rw', "do $$ begin raise exception '%', repeat('x', 100000); end $$")
      .catch((reason: unknown) => reason)
    expect((error as Error).message.length).toBeLessThan(3000)
  })

  it('refuses COPY to and from the client and stays usable', async () => {
    const { database, credentials } = workspace
    await withSession(cluster, { database, credentials, role: 'rw' }, async (session) => {
      for (const text of ['copy numbers to stdout', 'copy numbers from stdin']) {
        await expect(session.query({ text })).rejects.toMatchObject({ code: 'refused' })
      }
      expect((await session.query({ text: 'select 1' })).rows).toEqual([['1']])
    })
  })

  it('says when the database does not exist', async () => {
    const { credentials } = workspace
    const gone = { database: 'w_0123456789abcdef', credentials, role: 'ro' as const }
    await expect(withSession(cluster, gone, async () => undefined)).rejects.toMatchObject({ name: 'WorkspaceDbError' })
  })

  it('lets the errors of the work itself through as they are', async () => {
    const { database, credentials } = workspace
    const own = new TypeError('mine')
    const failing = withSession(cluster, { database, credentials, role: 'ro' }, () => Promise.reject(own))
    await expect(failing).rejects.toBe(own)
  })
})

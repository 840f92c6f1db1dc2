import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeAudit } from './audit.service.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.close())

const broken = async (scope: string) => {
  const { rows } = await database.pool.query<{ seq: number }>(
    `select seq from (
       select l.seq, l.hash = audit_line_hash(l) as is_own,
              l.previous_hash = coalesce(lag(l.hash) over (order by l.seq), '\\x') as is_linked
         from audit_lines l where scope = $1) chain
      where not (is_own and is_linked)`,
    [scope],
  )
  return rows.map((row) => row.seq)
}

test('fifty writers at once keep one unbroken chain', async () => {
  const lines = Array.from({ length: 50 }, (_, index) =>
    writeAudit(database, { action: 'tested', outcome: 'done', profileId: 7, detail: { index, text: 'line\nbreak' } }),
  )
  await Promise.all(lines)
  const { rows } = await database.pool.query<{ seq: number }>(
    "select seq from audit_lines where scope = 'profile:7' order by seq",
  )
  expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  expect(await broken('profile:7')).toEqual([])
})

test('the application can neither change nor remove a line', async () => {
  await writeAudit(database, { action: 'tested', outcome: 'done', profileId: 8 })
  for (const statement of [
    'update audit_lines set action = $$x$$',
    'delete from audit_lines',
    'truncate audit_lines',
    'update audit_heads set seq = 0',
  ]) {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  }
})

test('an insider who edits a line behind our back is found out', async () => {
  for (let line = 0; line < 3; line += 1)
    await writeAudit(database, { action: `step ${line}`, outcome: 'done', profileId: 9 })
  const name = new URL(database.url).pathname
  const { default: pg } = await import('pg')
  const admin = new pg.Client({ connectionString: new URL(name, database.adminUrl).href })
  await admin.connect()
  await admin.query('alter table audit_lines disable trigger append_only')
  await admin.query("update audit_lines set action = 'nothing happened' where scope = 'profile:9' and seq = 2")
  await admin.end()
  expect(await broken('profile:9')).toEqual([2])
})

import { afterAll, expect, test } from 'vitest'
import { startLogicalSource } from '../../../testing/sources/logical-source.ts'
import { makeLoads, writeStep } from '../../../testing/load-runs.ts'
import { addRun } from '../../dataflows/testing/made-up-runs.ts'
import { startTestApp } from '../../../testing/test-app.ts'
import { makeReadyWorkspace } from '../../../testing/workspace.ts'
import { dropAbandoned } from '../../integrations/slots/slots.service.ts'
import { watchReplicationSlots } from './watch-slots.ts'

const origin = await startLogicalSource()
const app = await startTestApp({ settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_SLOT_LIMIT_MB: '16' } })
afterAll(() => app.close())
const workspace = await makeReadyWorkspace(app)
afterAll(() => workspace.remove())
const loads = await makeLoads(app, workspace)
const source = await loads.addIntegration({ code: 'postgresql', name: 'Shop' }, origin.settings())
await origin.sql('create table orders (id bigint primary key, name text)', `insert into orders values (1, 'a')`)

const query = { query: { kind: 'changes', table: { schema: 'public', table: 'orders' } } }
const follow = (table: string) =>
  loads.block(source, { name: table, query, write: writeStep({ table_name: table, strategy: 'Replace' }) })
const there = async () => (await origin.sql('select count(*) from pg_replication_slots')).flat()[0]
const publications = async () => (await origin.sql('select count(*) from pg_publication')).flat()[0]
const known = async () => await app.database.db.selectFrom('change_slots').selectAll().execute()
const history = async () =>
  (await app.database.db.selectFrom('integration_events').select('what').execute()).map(({ what }) => what).join('\n')

const change = async ({ code }: ReturnType<typeof follow>, changes: { deleted_at: Date } | { live_version: null }) =>
  await app.database.db.updateTable('task_blocks').set(changes).where('trellis_code', '=', code).execute()

test('how much log is kept is known, and a slot goes with its block', async () => {
  const block = follow('live')
  await block.run()
  await origin.sql(`insert into orders select i, repeat('x', 1000) from generate_series(10, 2000) i`)
  await watchReplicationSlots(app.ctx)
  const [slot] = await known()
  expect(Number(slot?.kept_bytes)).toBeGreaterThan(1_000_000)
  expect([await there(), await publications()]).toEqual(['1', '1'])
  await change(block, { deleted_at: new Date() })
  await watchReplicationSlots(app.ctx)
  expect([await there(), await publications()]).toEqual(['0', '0'])
  expect(await known()).toEqual([])
  expect(await history()).toContain('no published block reads it any more')
})

test('a slot that holds more of the log than the limit is dropped, and the next run begins anew', async () => {
  const block = follow('limited')
  await block.run()
  await addRun(app, block.code, { status: 'SUCCESS' })
  const mailed = { ...alerts, webhook_url: null }
  await app.database.pool.query('update dataflows set alerts = alerts || $1', [mailed])
  await origin.sql(`insert into orders select i, repeat(md5(i::text), 40) from generate_series(10000, 30000) i`)
  await watchReplicationSlots(app.ctx)
  expect(await there()).toBe('0')
  expect((await known())[0]?.dropped_because).toContain('more than the limit of 16 MB')
  expect(await history()).toContain('The next run reads the whole table again')
  const [mail, ...more] = await app.database.db.selectFrom('mail_outbox').select(['subject', 'text']).execute()
  expect(more).toEqual([])
  expect(mail?.subject).toBe('"Ledger" in "Ledger" lost its replication slot')
  expect(mail?.text).toContain('more than the limit of 16 MB. The next run reads the whole table again.')
  const { lines } = await block.run()
  expect(lines.join('\n')).toContain('WARNING The whole table is read again')
  expect(await workspace.sql('select count(*) from data.limited')).toEqual(
    await origin.sql('select count(*) from orders'),
  )
  await watchReplicationSlots(app.ctx)
  expect((await known())[0]).toMatchObject({ dropped_because: null })
  expect(await there()).toBe('1')
})

test('what no block reads is dropped before its connection is deleted', async () => {
  const block = follow('unpublished')
  await block.run()
  await change(block, { live_version: null })
  expect(await there()).toBe('2')
  expect(await dropAbandoned(app.ctx, source)).toHaveLength(1)
  expect(await there()).toBe('1')
})

const alerts = { emails: ['team@example.com'], webhook_url: 'https://hooks.example.com/', on_failure: true }
const runWithAlerts = async (table: string) => {
  const block = follow(table)
  await block.run()
  await addRun(app, block.code, { status: 'SUCCESS' })
  await app.database.pool.query('update dataflows set alerts = alerts || $1', [alerts])
  return block
}
const told = async () => {
  const mails = await app.database.db.selectFrom('mail_outbox').select('id').execute()
  const calls = await app.database.db.selectFrom('sent_alerts').select('run_id').execute()
  const bells = await app.database.db
    .selectFrom('notifications')
    .select('id')
    .where('kind', '=', 'slot_dropped')
    .execute()
  return [mails.length, calls.length, bells.length]
}

test.each([
  ['unpublished', { live_version: null }],
  ['deleted', { deleted_at: new Date() }],
] as const)('a block that somebody %s loses its slot, and nobody is alerted', async (how, changes) => {
  const before = [await told(), await there()]
  const block = await runWithAlerts(`purposely_${how}`)
  await change(block, changes)
  await watchReplicationSlots(app.ctx)
  expect([await told(), await there()]).toEqual(before)
})

test('slots of a platform that this version does not know stay known', async () => {
  const block = await runWithAlerts('unknown_platform')
  const setPlatform = async (code: string) =>
    await app.database.pool.query('update integrations set platform_code = $1 where trellis_code = $2', [code, source])
  const before = await known()
  for (const code of ['not_a_platform', 'stripe']) {
    await setPlatform(code)
    await watchReplicationSlots(app.ctx)
    expect(await known(), code).toEqual(before)
  }
  await setPlatform('postgresql')
  await change(block, { deleted_at: new Date() })
  await watchReplicationSlots(app.ctx)
  expect(await known()).toHaveLength(before.length - 1)
})

test('slots of a deleted connection or workspace are told to nobody', async () => {
  const before = await told()
  await runWithAlerts('gone')
  await app.database.pool.query('update workspaces set deleted_at = now() where id = $1', [workspace.id])
  await watchReplicationSlots(app.ctx)
  expect(await known()).toEqual([])
  expect(await there()).toBe('0')
  expect(await told()).toEqual(before)
  await app.database.pool.query('update workspaces set deleted_at = null where id = $1', [workspace.id])

  await runWithAlerts('left')
  await app.database.pool.query("update integrations set state = 'ARCHIVED' where trellis_code = $1", [source])
  await watchReplicationSlots(app.ctx)
  expect(await known()).toEqual([])
  expect(await told()).toEqual(before)
})

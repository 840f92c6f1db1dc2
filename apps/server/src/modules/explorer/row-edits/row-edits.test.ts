import { listAudit } from '@trellis/contract/audit/audit.endpoints'
import * as calls from '@trellis/contract/explorer/row-edits.endpoints'
import type { RowEdit } from '@trellis/contract/explorer/row-edits.schemas'
import { previewTable } from '@trellis/contract/explorer/rows.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinNewPerson } from '../../../testing/accounts.ts'
import { connectOutside, makeOutsideDatabase } from '../../../testing/sources/outside-database.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'

let app: TestApp
let workspace: ReadyWorkspace
let anna: TestClient
let ben: TestClient
let viewer: TestClient

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off', TRELLIS_ALLOWED_HOSTS: '127.0.0.1' } })
  workspace = await makeReadyWorkspace(app)
  anna = workspace.account.owner
  const code = workspace.integrationCode.replace(/-db$/, '')
  const join = async (workspace_role_id: number) => {
    const workspaces = [{ workspace_trellis_code: code, workspace_role_id }]
    return (await joinNewPerson(app, workspace.account, { role: 1, workspaces })).client
  }
  ben = await join(2)
  viewer = await join(1)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const at = (table_name: string) => ({ ...workspace.params, schema_name: 'data', table_name })
const apply = (client: TestClient, table: string, edits: RowEdit[]) =>
  client.call(calls.applyRowEdits, { params: at(table), body: { edits } })
const undo = (client: TestClient, table: string, edit_id: string | null) =>
  client.call(calls.undoRowEdits, { params: at(table), body: { edit_id: edit_id ?? '' } })
const editing = async (client: TestClient, table: string) =>
  (await client.call(calls.getRowEditing, { params: at(table) })).data
const change = (column: string, old: string | null, value: string | null) => ({ column, old, value })

test('rows are inserted, changed and deleted in one transaction, and all of it is undone', async () => {
  await workspace.sql(
    'create table data.people (id int primary key, name text not null, note text)',
    `insert into data.people values (1, 'Ada', null), (2, 'Ben', ''), (3, 'Cleo', 'x')`,
  )
  const edits: RowEdit[] = [
    {
      kind: 'insert',
      values: [
        { column: 'id', value: '4' },
        { column: 'name', value: 'Dora' },
      ],
    },
    { kind: 'update', key: ['1'], changes: [change('note', null, ''), change('name', 'Ada', 'Ada L')] },
    { kind: 'delete', key: ['3'], old: [{ column: 'name', value: 'Cleo' }] },
  ]
  const preview = await anna.call(calls.previewRowEdits, { params: at('people'), body: { edits } })
  expect(preview.data.statements).toEqual([
    "insert into data.people (id, name) values (4, 'Dora');",
    "update data.people set note = '', name = 'Ada L' where id = 1 and note::text is not distinct from null and name::text is not distinct from 'Ada';",
    "delete from data.people where id = 3 and name::text is not distinct from 'Cleo';",
  ])
  const { data } = await apply(anna, 'people', edits)
  expect(data).toMatchObject({ status: 'applied', rows: 3, conflicts: [] })
  const all = 'select id, name, note from data.people order by id'
  expect(await workspace.sql(all)).toEqual([
    ['1', 'Ada L', ''],
    ['2', 'Ben', ''],
    ['4', 'Dora', null],
  ])
  expect((await editing(anna, 'people')).last_edit).toMatchObject({ edit_id: data.edit_id, rows: 3 })
  expect((await editing(ben, 'people')).last_edit).toBeNull()
  expect((await undo(ben, 'people', data.edit_id)).status).toBe(404)
  const undone = await undo(anna, 'people', data.edit_id)
  expect(undone.data.status).toBe('applied')
  expect(await workspace.sql(all)).toEqual([
    ['1', 'Ada', null],
    ['2', 'Ben', ''],
    ['3', 'Cleo', 'x'],
  ])
  expect((await undo(anna, 'people', data.edit_id)).status).toBe(404)
  expect((await undo(anna, 'people', undone.data.edit_id)).data.status).toBe('applied')
  expect(await workspace.sql(all)).toEqual([
    ['1', 'Ada L', ''],
    ['2', 'Ben', ''],
    ['4', 'Dora', null],
  ])
})

test('two people change the same row: the second is told both values, and nothing of theirs is applied', async () => {
  await workspace.sql(
    'create table data.stock (sku text primary key, amount int, place text)',
    "insert into data.stock values ('a', 1, 'north'), ('b', 2, 'south')",
  )
  const one = (value: string): RowEdit[] => [
    { kind: 'update', key: ['a'], changes: [change('amount', '1', value)] },
    { kind: 'update', key: ['b'], changes: [change('amount', '2', value)] },
  ]
  const both = await Promise.all([apply(anna, 'stock', one('10')), apply(ben, 'stock', one('20').toReversed())])
  const outcomes = both.map(({ data }) => data.status)
  expect(outcomes.toSorted()).toEqual(['applied', 'conflict'])
  const won = outcomes[0] === 'applied' ? '10' : '20'
  const lost = won === '10' ? '20' : '10'
  const { conflicts } = both[outcomes.indexOf('conflict')]!.data
  expect(conflicts).toHaveLength(2)
  expect(conflicts[0]).toMatchObject({
    edit: 0,
    reason: 'changed',
    cells: [{ column: 'amount', mine: lost, theirs: won }],
  })
  expect(await workspace.sql('select amount from data.stock order by sku')).toEqual([[won], [won]])
  const other = await apply(ben, 'stock', [{ kind: 'update', key: ['a'], changes: [change('place', 'north', 'west')] }])
  expect(other.data.status).toBe('applied')
  await workspace.sql("delete from data.stock where sku = 'b'")
  const removedResponse = await apply(ben, 'stock', [{ kind: 'delete', key: ['b'], old: [] }])
  expect(removedResponse.data.conflicts).toEqual([{ edit: 0, reason: 'deleted', cells: [] }])
})

test('an undo is refused when somebody changed the row since', async () => {
  await workspace.sql('create table data.once (id int primary key, v text)', "insert into data.once values (1, 'a')")
  const { data } = await apply(anna, 'once', [{ kind: 'update', key: ['1'], changes: [change('v', 'a', 'b')] }])
  await apply(ben, 'once', [{ kind: 'update', key: ['1'], changes: [change('v', 'b', 'c')] }])
  const undone = await undo(anna, 'once', data.edit_id)
  expect(undone.data.conflicts[0]?.cells).toEqual([{ column: 'v', old: 'b', mine: 'a', theirs: 'c' }])
  expect(await workspace.sql('select v from data.once')).toEqual([['c']])
})

test('a fault names the row and the column, and nothing is changed', async () => {
  await workspace.sql(
    'create table data.strict (id int primary key, n int not null, code varchar(3), email text unique check (email <> $$bad$$))',
    "insert into data.strict values (1, 1, 'abc', 'a@b.c'), (2, 2, null, 'd@e.f')",
  )
  const update = (column: string, old: string | null, value: string | null): RowEdit[] => [
    { kind: 'update', key: ['2'], changes: [change('n', '2', '5')] },
    { kind: 'update', key: ['1'], changes: [change(column, old, value)] },
  ]
  const faults = [
    ['n', '1', 'many', 'invalid input syntax for type integer: "many"'],
    ['n', '1', null, 'null value in column "n"'],
    ['code', 'abc', 'abcd', 'value too long for type character varying(3)'],
    ['email', 'a@b.c', 'd@e.f', 'duplicate key value'],
  ] as const
  for (const [column, old, value, message] of faults) {
    const { errors } = await apply(anna, 'strict', update(column, old, value))
    expect(errors[0], column).toMatchObject({ code: 'statement_failed', source: { pointer: `/edits/1/${column}` } })
    expect(errors[0]?.detail).toContain(`Column "${column}": ${message}`)
  }
  expect(await workspace.sql('select n from data.strict order by id')).toEqual([['1'], ['2']])
  const unknownResponse = await apply(anna, 'strict', update('nope', null, '1'))
  expect(unknownResponse.errors[0]).toMatchObject({ code: 'invalid_request' })
})

const VALUES: [type: string, first: string, second: string][] = [
  ['smallint', '1', '-32768'],
  ['bigint', '9223372036854775807', '0'],
  ['numeric(20,4)', '12345.6789', '-0.0001'],
  ['double precision', '0.1', 'NaN'],
  ['real', '3.4e+38', '-1.5'],
  ['boolean', 'true', 'false'],
  ['text', 'it\'s \\ a "test"\n✓', ''],
  ['varchar(10)', 'abc', 'ä'],
  ['char(4)', 'ab', 'cdef'],
  ['date', '2026-02-28', 'infinity'],
  ['time', '23:59:59.999', '00:00:00'],
  ['timestamp', '2026-01-01 10:00:00.123456', '1900-01-01 00:00:00'],
  ['timestamptz', '2026-01-01 10:00:00+00', '2026-07-01 12:30:00.5+00'],
  ['interval', '1 mon 2 days 03:04:05', '-00:00:01'],
  ['uuid', '6f1d9a52-0d64-4f2f-9d0a-2f8f7c1a6b11', '00000000-0000-0000-0000-000000000000'],
  ['json', '{"b": 1, "a": [1,2]}', 'null'],
  ['jsonb', '{"a": 1}', '[]'],
  ['bytea', '\\x00ff', '\\x'],
  ['int[]', '{1,NULL,3}', '{}'],
  ['text[]', '{"a b","c\\"d"}', '{x}'],
  ['inet', '10.0.0.0/8', '::1'],
  ['int4range', '[1,5)', 'empty'],
  ['bit(3)', '101', '000'],
  ['data.mood', 'happy', 'so so'],
  ['data.positive', '5', '1'],
  ['point', '(1,2)', '(0,0)'],
  ['xml', '<a>1</a>', '<b/>'],
]

test('values of all common types come back as they were', async () => {
  await workspace.sql(
    "create type data.mood as enum ('happy', 'so so')",
    'create domain data.positive as int check (value > 0)',
    `create table data.types (id int primary key, ${VALUES.map(([type], n) => `c${n} ${type}`).join(', ')})`,
  )
  const cells = (which: 1 | 2) => VALUES.map((other, n) => ({ column: `c${n}`, value: other[which] }))
  const inserted = await apply(anna, 'types', [{ kind: 'insert', values: [{ column: 'id', value: '1' }, ...cells(1)] }])
  expect(inserted.errors ?? []).toEqual([])
  const read = async () => {
    const { data } = await anna.call(previewTable, { params: at('types'), query: {} })
    return data.rows[0]?.cells.slice(1) ?? []
  }
  const first = await read()
  const updated = await apply(anna, 'types', [
    {
      kind: 'update',
      key: ['1'],
      changes: VALUES.map(([, , value], n) => change(`c${n}`, first[n] ?? null, value)),
    },
  ])
  expect(updated.data).toMatchObject({ status: 'applied' })
  const second = await read()
  expect(second).not.toEqual(first)
  expect((await undo(anna, 'types', updated.data.edit_id)).data.status).toBe('applied')
  expect(await read()).toEqual(first)
  const emptied = await apply(anna, 'types', [
    { kind: 'update', key: ['1'], changes: VALUES.map((_, n) => change(`c${n}`, first[n] ?? null, null)) },
  ])
  expect(emptied.data.status).toBe('applied')
  expect(new Set(await read())).toEqual(new Set([null]))
  expect((await undo(anna, 'types', emptied.data.edit_id)).data.status).toBe('applied')
  const { columns } = await editing(anna, 'types')
  expect(columns.find(({ type }) => type === 'data.mood')?.labels).toEqual(['happy', 'so so'])
})

test('odd names, composite keys, generated and identity columns', async () => {
  await workspace.sql(
    `create table data."Odd ""t"" 1" ("select" int, "A b" text, n int generated always as identity,
       double int generated always as ("select" * 2) stored, "x/y~z" text default 'd', primary key ("select", "A b"))`,
    `insert into data."Odd ""t"" 1" ("select", "A b") values (1, 'q"''')`,
  )
  const name = 'Odd "t" 1'
  const { key, columns } = await editing(anna, name)
  expect(key).toEqual(['select', 'A b'])
  expect(columns.filter(({ is_read_only }) => is_read_only).map((column) => column.name)).toEqual(['n', 'double'])
  const movedResponse = await apply(anna, name, [
    {
      kind: 'update',
      key: ['1', 'q"\''],
      changes: [change('select', '1', '7'), change('A b', 'q"\'', 'z'), change('x/y~z', 'd', null)],
    },
  ])
  expect(movedResponse.data.status).toBe('applied')
  const all = `select "select", "A b", n, double, "x/y~z" from data."Odd ""t"" 1"`
  expect(await workspace.sql(all)).toEqual([['7', 'z', '1', '14', null]])
  const deletedResponse = await apply(anna, name, [{ kind: 'delete', key: ['7', 'z'], old: [] }])
  expect(await workspace.sql(all)).toEqual([])
  expect((await undo(anna, name, deletedResponse.data.edit_id)).data.status).toBe('applied')
  expect(await workspace.sql(all)).toEqual([['7', 'z', '1', '14', null]])
  expect((await undo(anna, name, movedResponse.data.edit_id)).data.status).toBe('applied')
  expect(await workspace.sql(all)).toEqual([['1', 'q"\'', '1', '2', 'd']])
  const refusedResponse = await apply(anna, name, [
    { kind: 'update', key: ['1', 'q"\''], changes: [change('double', '2', '3')] },
  ])
  expect(refusedResponse.errors[0]?.detail).toContain('computed by the database')
})

test('a unique key without NULL will do; a table without any, a view and a viewer only read', async () => {
  await workspace.sql(
    'create table data.unique_only (code text not null unique, maybe text unique, v int)',
    "insert into data.unique_only values ('a', null, 1)",
    'create table data.keyless (v int)',
    'create view data.shown as select * from data.unique_only',
  )
  expect(await editing(anna, 'unique_only')).toMatchObject({ can_edit: true, key: ['code'] })
  const { data } = await apply(anna, 'unique_only', [{ kind: 'update', key: ['a'], changes: [change('v', '1', '2')] }])
  expect(data.status).toBe('applied')
  expect((await editing(anna, 'keyless')).reason).toContain('no primary key')
  expect((await editing(anna, 'shown')).reason).toContain('view')
  expect((await apply(anna, 'keyless', [{ kind: 'insert', values: [] }])).status).toBe(409)
  expect(await editing(viewer, 'unique_only')).toMatchObject({ can_edit: false, columns: [] })
  expect((await apply(viewer, 'unique_only', [{ kind: 'delete', key: ['a'], old: [] }])).status).toBe(403)
  expect((await editing(viewer, 'unique_only')).reason).toContain('editor')
  expect((await viewer.call(calls.getRowEditing, { params: at('nowhere') })).status).toBe(404)
})

test('too many rows are refused, and the trail says what was done', async () => {
  await workspace.sql('create table data.many (id int primary key)')
  const rows = Array.from({ length: 501 }, (_, n): RowEdit => ({
    kind: 'insert',
    values: [{ column: 'id', value: `${n}` }],
  }))
  expect((await apply(anna, 'many', rows)).status).toBe(400)
  expect((await apply(anna, 'many', rows.slice(1))).data).toMatchObject({ status: 'applied', rows: 500 })
  const { account_trellis_code } = workspace.tenant
  const trail = await anna.call(listAudit, { params: { account_trellis_code }, query: {} })
  expect(JSON.stringify(trail.data)).toContain('applyRowEdits')
})

test('rows of a connected database are edited when its connection allows writing', async () => {
  const outside = await makeOutsideDatabase()
  const { connection } = outside.values
  await outside.sql(
    `create table public.parcels (id int primary key, note text); insert into public.parcels values (1, 'old');
     grant all on public.parcels to ${connection['user']}`,
  )
  const edits: RowEdit[] = [{ kind: 'update', key: ['1'], changes: [change('note', 'old', 'new')] }]
  const edit = async (values: typeof outside.values, client = anna) => {
    const integration_trellis_code = await connectOutside(anna, workspace.tenant, { values })
    const params = { ...workspace.params, integration_trellis_code, schema_name: 'public', table_name: 'parcels' }
    const shownResponse = await client.call(calls.getRowEditing, { params })
    return {
      params,
      shown: shownResponse,
      applied: await client.call(calls.applyRowEdits, { params, body: { edits } }),
    }
  }
  const readOnly = await edit(outside.values)
  expect(readOnly.shown.data).toMatchObject({ can_edit: false, reason: expect.stringContaining('read-only') })
  expect(readOnly.applied.status).toBe(403)
  const values = { connection: { ...connection, allows_writing: true } }
  expect((await edit(values, viewer)).applied.status).not.toBe(200)
  expect(await outside.sql('select note from public.parcels')).toEqual([{ note: 'old' }])
  const { params, shown, applied } = await edit(values)
  expect(shown.data).toMatchObject({ can_edit: true, key: ['id'] })
  expect(applied.data).toMatchObject({ status: 'applied', rows: 1 })
  expect(await outside.sql('select note from public.parcels')).toEqual([{ note: 'new' }])
  const undone = await anna.call(calls.undoRowEdits, { params, body: { edit_id: applied.data.edit_id ?? '' } })
  expect(undone.data.status).toBe('applied')
  expect(await outside.sql('select note from public.parcels')).toEqual([{ note: 'old' }])
  await outside.drop()
})

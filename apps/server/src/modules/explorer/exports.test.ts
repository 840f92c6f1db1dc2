import * as rows from '@trellis/contract/explorer/rows.endpoints'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { toCsvCell } from '@trellis/table-files/write/write-csv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { EXPORT_ROOM_BYTES, handleRemoveExpired } from './export.handler.ts'

let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true })
  workspace = await makeReadyWorkspace(app)
  await workspace.sql(
    `create table data.things (id bigint, name text, price numeric(12,2), at timestamptz, day date, is_new boolean, doc json)`,
    `insert into data.things values
       (9007199254740993, '=1+1', 12345678.90, '2024-02-29 12:00:00.123456+00', '2024-02-29', true, E'{"a":\\n "b\\\\n"}'),
       (2, E'two\\nlines, "quoted"', -0.05, null, null, false, null),
       (3, '', 0, '1969-12-31 23:59:59+00', '1900-01-01', null, '[]'),
       (4, null, null, null, null, null, null)`,
    'create table data.many as select n as id, md5(n::text) as hash from generate_series(1, 20000) n',
  )
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const at = (table_name: string) => ({ ...workspace.tenant, ...workspace.database, schema_name: 'data', table_name })

async function start(table: string, body: object, full_export = true) {
  const query = { full_export: String(full_export) }
  const answer = await workspace.account.owner.call(rows.exportTable, { params: at(table), query, body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.data.job_id
}

async function settled(job_id: string) {
  for (let tries = 0; tries < 900; tries += 1) {
    const { data } = await workspace.account.owner.call(rows.getExport, { params: { ...workspace.tenant, job_id } })
    if (data.status !== 'in_progress') return data
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the export never ended')
}

async function fetchFile(job_id: string, headers: Record<string, string> = {}) {
  const path = toEndpointUrl(rows.downloadExport).replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(({ ...workspace.tenant, job_id } as Record<string, string>)[name] ?? ''),
  )
  return await fetch(`${app.url}${path}`, {
    headers: { authorization: `Bearer ${workspace.account.owner.token}`, ...headers },
  })
}

async function exportFile(table: string, body: object, full = true): Promise<Buffer> {
  const id = await start(table, body, full)
  const job = await settled(id)
  expect(job).toMatchObject({ status: 'completed', error: null })
  const bytes = Buffer.from(await (await fetchFile(id)).arrayBuffer())
  expect(bytes.length).toBe(job.size_bytes)
  return bytes
}

describe('an export', () => {
  test('as CSV keeps a spreadsheet from running texts as formulas', async () => {
    const text = (await exportFile('things', { format: 'csv' })).toString()
    expect(text.split('\n')[0]).toBe('id,name,price,at,day,is_new,doc')
    expect(text).toContain("9007199254740993,'=1+1,12345678.90,2024-02-29 12:00:00.123456+00,2024-02-29,true,")
    expect(text).toContain('lines, ""quoted""",-0.05,,,false,')
    expect(text).toContain('\n4,,,,,,\n')
  })

  test('marks the same texts as formulas as a result of a query does', async () => {
    const texts = ['=1', '+1', '-1', '-1e5', '-.5', '+1.2.3', '-1-1', '@a', '-', 'a=1', '\tx', '+49 170', '-0x1']
    await workspace.sql(
      'create table data.formulas (t text)',
      `insert into data.formulas values ${texts.map((text) => `('${text}')`).join(', ')}`,
    )
    const lines = (await exportFile('formulas', { format: 'csv' })).toString().trimEnd().split('\n').slice(1)
    const isMarked = (cell: string) => /^"?'/.test(cell)
    const expected = texts.map((text) => isMarked(toCsvCell(text, { isFormulaSafe: true })))
    expect(lines.map(isMarked)).toEqual(expected)
  })

  test('as raw CSV holds the data exactly, formulas and all', async () => {
    const text = (await exportFile('things', { format: 'csv', is_raw: true })).toString()
    expect(text.split('\n')[0]).toBe('id,name,price,at,day,is_new,doc')
    expect(text).toContain('9007199254740993,=1+1,12345678.90,2024-02-29 12:00:00.123456+00,2024-02-29,true,')
    expect(text).toContain('2,"two\nlines, ""quoted""",-0.05,,,false,')
    expect(text).toContain('\n3,"",0.00,')
    expect(text).toContain('\n4,,,,,,\n')
  })

  test('as JSON lines has one object per line, whatever is in it', async () => {
    const lines = (await exportFile('things', { format: 'jsonl' })).toString().trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toContain('"id":9007199254740993')
    expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual([
      '=1+1',
      'two\nlines, "quoted"',
      '',
      null,
    ])
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ doc: { a: 'b\n' }, price: 12_345_678.9 })
  })

  test('as Parquet keeps the types', async () => {
    const file = await exportFile('things', { format: 'parquet' })
    const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer
    const found = await parquetReadObjects({ file: buffer, compressors })
    expect(found[0]).toMatchObject({ id: 9_007_199_254_740_993n, name: '=1+1', price: 12_345_678.9, is_new: true })
    expect(found[0]?.['at']).toEqual(new Date('2024-02-29T12:00:00.123Z'))
    expect(found[0]?.['day']).toEqual(new Date('2024-02-29'))
    expect(found[2]?.['at']).toEqual(new Date('1969-12-31T23:59:59Z'))
    expect(found[3]?.['name'] ?? null).toBeNull()
  })

  test('as XLSX is a workbook with one sheet', async () => {
    const file = await exportFile('things', { format: 'xlsx' })
    expect(file.subarray(0, 2).toString()).toBe('PK')
    expect(file.includes('xl/worksheets/sheet1.xml')).toBe(true)
  })

  test('keeps filter and order, and says how many rows there are', async () => {
    const filters = [{ column: 'id', operator: 'gt', value: '19990' }]
    const id = await start('many', { format: 'csv', filters, sort: 'id', direction: 'desc' })
    expect(await settled(id)).toMatchObject({ rows_written: 10, file_name: 'many.csv' })
    const text = await (await fetchFile(id)).text()
    expect(text.split('\n')[1]).toMatch(/^20000,/)
    const parquet = await start('many', { format: 'parquet', filters })
    expect(await settled(parquet)).toMatchObject({ rows_written: 10 })
    const bad = [{ column: 'id', operator: 'gt', value: 'x' }]
    await expect(start('many', { filters: bad })).rejects.toThrow('does not fit')
  })

  test('without full_export has only what the preview shows', async () => {
    for (const format of ['csv', 'xlsx', 'jsonl', 'parquet']) {
      expect(await settled(await start('many', { format }, false))).toMatchObject({ rows_written: 100 })
    }
  })

  test('is not written when the exports of the account have no room left', async () => {
    const other = await start('things', { format: 'csv' })
    const { size_bytes } = await settled(other)
    const take = async (bytes: number | null) =>
      await app.database.db.updateTable('table_exports').set({ size_bytes: bytes }).where('id', '=', other).execute()
    await take(EXPORT_ROOM_BYTES)
    const refused = await settled(await start('things', { format: 'csv' }))
    expect(refused).toMatchObject({ status: 'failed', size_bytes: null, error: expect.stringContaining('20 GB') })
    await take(size_bytes)
    expect((await settled(await start('things', { format: 'csv' }))).status).toBe('completed')
  })

  test('can be fetched from where a download stopped', async () => {
    const id = await start('many', { format: 'csv' })
    await settled(id)
    const whole = Buffer.from(await (await fetchFile(id)).arrayBuffer())
    const rest = await fetchFile(id, { range: 'bytes=1000-' })
    expect(rest.status).toBe(206)
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(1000))).toBe(true)
  })

  test('belongs to who started it, and goes when its days are over', async () => {
    const id = await start('things', {})
    await settled(id)
    const stranger = await newPerson(app)
    const params = { ...workspace.tenant, job_id: id }
    expect((await stranger.client.call(rows.getExport, { params })).status).toBe(404)
    await handleRemoveExpired({ ...app.ctx, clock: { now: () => new Date(Date.now() + 4 * 24 * 3600_000) } })
    expect((await workspace.account.owner.call(rows.getExport, { params })).status).toBe(404)
    expect((await app.ctx.ports.objects.list('exports/')).objects).toEqual([])
  })

  test('stops when it is cancelled, and leaves no file', async () => {
    await workspace.sql('create view data.endless as select generate_series(1, 2000000000) as n')
    const id = await start('endless', { format: 'csv' })
    const params = { ...workspace.tenant, job_id: id }
    expect((await fetchFile(id)).status).toBe(409)
    const stopped = await workspace.account.owner.call(rows.cancelExport, { params })
    expect(stopped.data.status).toBe('cancelled')
    const cluster = await app.ctx.ports.cluster.open()
    const running = async () => {
      const text =
        "select 1 from pg_stat_activity where query like 'copy (select _row%' and datname = $1 and state = 'active'"
      return (await cluster.admin.query(text, [`w_${workspace.key}`])).rowCount
    }
    await expect.poll(running).toBe(0)
    expect((await fetchFile(id)).status).toBe(409)
    await workspace.sql('drop view data.endless')
  })
})

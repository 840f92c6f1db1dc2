import { COLUMN_TYPES } from '@trellis/contract/explorer/column-types'
import { getDataModel, listBadRows } from '@trellis/contract/uploads/uploads.endpoints'
import type { Dialect } from '@trellis/contract/uploads/uploads.schemas'
import { AWKWARD_FILES } from '@trellis/table-files/awkward/all-files'
import { type AwkwardFile, loadCells } from '@trellis/table-files/awkward/load-cells'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestUploads, testUploads } from '../../testing/uploads.ts'

let app: TestApp
let uploads: TestUploads
let number = 0

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  uploads = await testUploads(app, await makeAccount(app), { isInline: true })
})
afterAll(async () => await app.close())

async function upload(about: AwkwardFile) {
  number += 1
  const table = `awkward_${number}`
  const content = typeof about.content === 'function' ? await about.content() : about.content
  // An empty file is refused before anything is sent.
  if (content.length === 0) return { refused: await readRefusal(about, content) }
  const file = await uploads.send(about.fileName ?? 'file.csv', content)
  const read = await uploads.preProcess(file, about.given as Partial<Dialect> | undefined)
  if (read.status === 'failed') return { refused: read.error ?? '' }
  const params = { ...uploads.params, integration_trellis_code: uploads.code, file_id: file.file_id }
  const { data } = await uploads.client.call(getDataModel, {
    params: { ...params, schema_name: 'data', table_name: table },
  })
  const { data_model } = data
  const updated = await uploads.update(file, { table_name: table, on_bad_rows: 'quarantine', data_model })
  expect(updated.status, updated.text).toBe(200)
  const job = await uploads.deliver(file)
  expect(job, job.error ?? '').toMatchObject({ status: 'completed' })
  const bad = await uploads.client.call(listBadRows, { params })
  const { rows } = await uploads.sql(`select * from data.${table} order by ctid`)
  return { types: data_model.columns.map(({ type }) => type), rows, bad: bad.data.items.map(({ line }) => line) }
}

const readRefusal = ({ fileName = 'file.csv' }: AwkwardFile, content: string | Uint8Array): Promise<string> =>
  uploads.send(fileName, content).then(
    () => '',
    (error: Error) => error.message,
  )

type Cells = readonly (readonly (string | null)[])[]

/** The expected cells as Postgres reads and prints them in the types of the table; rows with a value it refuses are rejected. */
async function toStored(cells: Cells, types: readonly (keyof typeof COLUMN_TYPES)[]): Promise<Cells> {
  const names = types.map((type) => COLUMN_TYPES[type].postgres)
  const columns = names.map((name, at) => `(e ->> ${at})::${name}`)
  const isValid = names.map((name, at) => `(e ->> ${at} is null or pg_input_is_valid(e ->> ${at}, '${name}'))`)
  // A case of its own, as conditions of a where clause have no order.
  const text = `select ${columns.join(', ')} from (select case when ${isValid.join(' and ')} then e end as e, n
    from jsonb_array_elements($1::jsonb) with ordinality as t (e, n)) valid where e is not null order by n`
  return (await uploads.sql(text, [JSON.stringify(cells)])).rows
}

describe.each(AWKWARD_FILES)('$name', (file) => {
  test('has the same cells in Postgres as in the file', async () => {
    const loaded = await upload(file)
    if (file.refused) return expect(loaded.refused).toMatch(file.refused)
    expect(loaded.refused).toBeUndefined()
    const { types = [], rows, bad } = loaded
    if (file.columns) expect(types).toEqual(file.columns.map((column) => column.slice(column.lastIndexOf(':') + 1)))
    const cells = file.rows ?? (await loadCells(file)).rows
    const stored = await toStored(cells, types)
    expect(rows).toEqual(stored)
    const rejected = file.rejected ?? []
    if (stored.length === cells.length) return expect(bad).toEqual(rejected)
    expect(bad).toEqual(expect.arrayContaining([...rejected]))
    expect(bad).toHaveLength(rejected.length + cells.length - stored.length)
    expect(file.warning, 'a value that does not fit is told before').toBeDefined()
  })
})

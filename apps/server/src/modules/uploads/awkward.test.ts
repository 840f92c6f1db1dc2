import { randomUUID } from 'node:crypto'
import { COLUMN_TYPES } from '@trellis/contract/explorer/column-types'
import { getDataModel, listBadRows } from '@trellis/contract/uploads/uploads.endpoints'
import type { DataModel, Dialect } from '@trellis/contract/uploads/uploads.schemas'
import { AWKWARD_FILES } from '@trellis/table-files/awkward/all-files'
import { type AwkwardFile, loadCells } from '@trellis/table-files/awkward/load-cells'
import { type FileProfile } from '@trellis/table-files/profile/file-profile'
import { profileFile } from '@trellis/table-files/profile/profile-file'
import { FileFault } from '@trellis/table-files/read/byte-source'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestUploads, testUploads } from '../../testing/uploads.ts'
import { type OpenDatabase, openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'
import { proposeModel } from './plan/data-model.ts'
import { putPart } from './file-parts.ts'
import { type FileWork, createByteSource } from './job-work.ts'
import { planLoad } from './plan/load-plan.ts'
import { stageFile } from './stage-file.ts'

let app: TestApp
let uploads: TestUploads
let database: OpenDatabase
let accountId: number

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  uploads = await testUploads(app, await makeAccount(app), { isInline: true })
  const { workspaceId, code: integrationCode } = uploads
  database = await openWorkspaceDatabase(app.ctx, { workspaceId, integrationCode })
  const { rows } = await app.database.pool.query<{ account_id: string }>(
    'select account_id from workspaces where id = $1',
    [workspaceId],
  )
  accountId = Number(rows[0]?.account_id)
})
afterAll(async () => await app.close())

interface Loaded {
  readonly columns: DataModel['columns']
  readonly rows: readonly unknown[]
  readonly bad: readonly number[]
}

const readContent = async ({ content }: AwkwardFile) =>
  Buffer.from((typeof content === 'function' ? await content() : content) as string)
const keepLoaded = ({ columns }: DataModel) => columns.filter(({ is_skipped }) => !is_skipped)

async function upload(about: AwkwardFile): Promise<Loaded | string> {
  const content = await readContent(about)
  // An empty file is refused on creation.
  if (content.length === 0) return await readRefusal(about, content)
  const file = await uploads.send(about.fileName ?? 'file.csv', content)
  const read = await uploads.preProcess(file, about.given as Partial<Dialect> | undefined)
  if (read.status === 'failed') return read.error ?? ''
  const table = `t_${file.file_id.slice(0, 8)}`
  const params = { ...uploads.params, integration_trellis_code: uploads.code, file_id: file.file_id }
  const { data } = await uploads.client.call(getDataModel, {
    params: { ...params, schema_name: 'data', table_name: table },
  })
  const { data_model } = data
  const updated = await uploads.update(file, { table_name: table, on_bad_rows: 'quarantine', data_model })
  expect(updated.status, updated.text).toBe(200)
  const job = await uploads.deliver(file)
  expect(job, job.error ?? '').toMatchObject({ status: 'completed' })
  const badResponse = await uploads.client.call(listBadRows, { params })
  const { rows } = await uploads.sql(`select * from data.${table} order by ctid`)
  return { columns: keepLoaded(data_model), rows, bad: badResponse.data.items.map(({ line }) => line) }
}

const readRefusal = ({ fileName = 'file.csv' }: AwkwardFile, content: Uint8Array): Promise<string> =>
  uploads.send(fileName, content).then(
    () => '',
    (error: Error) => error.message,
  )

async function stage(about: AwkwardFile): Promise<Loaded | string> {
  const content = await readContent(about)
  const place = { id: randomUUID(), workspace_id: uploads.workspaceId, size_bytes: content.length }
  await putPart(app.ctx.ports.objects, place, { part: 1, body: content })
  const work = {
    ctx: app.ctx,
    job: { id: randomUUID(), account_id: accountId },
    attempt: 1,
    signal: new AbortController().signal,
    progress: { done_bytes: 0, total_bytes: content.length, rows: 0, step: '' },
    file: { ...place, on_bad_rows: 'quarantine' },
  } as unknown as FileWork
  const fileName = about.fileName ?? 'file.csv'
  const read = await profileFile(createByteSource(work), { given: about.given ?? {}, fileName }).catch(
    (error: unknown) => {
      if (error instanceof FileFault) return error.message
      throw error
    },
  )
  if (typeof read === 'string') return read
  const profile = JSON.parse(JSON.stringify(read)) as FileProfile
  const model = proposeModel(profile, undefined)
  const plan = planLoad({ mode: 'new', model, profile, target: undefined, isSetNull: false, fileId: place.id })
  const stagedRows = await stageFile({ work, database, plan, profile })
  const { rows } = await uploads.sql(`select * from trellis_loads.${stagedRows.stage} order by ctid`)
  expect(stagedRows.goodRows).toBe(rows.length)
  return { columns: keepLoaded(model), rows, bad: stagedRows.bad.map(({ line }) => line) }
}

type Cells = readonly (readonly (string | null)[])[]

/** The expected cells as Postgres stores them; rows with invalid values are rejected. */
async function toStored(cells: Cells, types: readonly (keyof typeof COLUMN_TYPES)[]): Promise<Cells> {
  const names = types.map((type) => COLUMN_TYPES[type].postgres)
  const columns = names.map((name, at) => `(e ->> ${at})::${name}`)
  const isValid = names.map((name, at) => `(e ->> ${at} is null or pg_input_is_valid(e ->> ${at}, '${name}'))`)
  // CASE, since WHERE conditions have no order.
  const text = `select ${columns.join(', ')} from (select case when ${isValid.join(' and ')} then e end as e, n
    from jsonb_array_elements($1::jsonb) with ordinality as t (e, n)) valid where e is not null order by n`
  return (await uploads.sql(text, [JSON.stringify(cells)])).rows
}

async function expectCells(file: AwkwardFile, loaded: Loaded | string): Promise<void> {
  if (file.refused) return expect(loaded).toMatch(file.refused)
  if (typeof loaded === 'string') throw new Error(`The file was refused: ${loaded}`)
  const { columns, rows, bad } = loaded
  const types = columns.map(({ type }) => type)
  const pick = <T>(values: readonly T[]) => columns.map(({ source }) => values[source ?? -1] as T)
  if (file.columns) expect(types).toEqual(pick(file.columns).map((column) => column.slice(column.lastIndexOf(':') + 1)))
  const cells = (file.rows ?? (await loadCells(file)).rows).map(pick)
  const stored = await toStored(cells, types)
  expect(rows).toEqual(stored)
  const rejected = file.rejected ?? []
  if (stored.length === cells.length) return expect(bad).toEqual(rejected)
  expect(bad).toEqual(expect.arrayContaining([...rejected]))
  expect(bad).toHaveLength(rejected.length + cells.length - stored.length)
  expect(file.warning, 'a value that does not fit is told before').toBeDefined()
}

/** One file per code path; all others are only staged. First, as a session expires. */
const WHOLE_WAY = [
  'a semicolon file with commas in its text',
  'amounts with a currency',
  'long rows',
  'lines of objects that each hold a list',
  'dates and moments',
  'a sheet that begins in column C',
  'objects with numbers',
  'a picture',
  'nothing',
]

test.each(WHOLE_WAY)('the whole way of “%s” gives the same', async (name) => {
  const file = AWKWARD_FILES.find((awkwardFile) => awkwardFile.name === name) as AwkwardFile
  await expectCells(file, await upload(file))
})

describe.each(AWKWARD_FILES)('$name', (file) => {
  test('has the same cells in Postgres as in the file', async () => await expectCells(file, await stage(file)))
})

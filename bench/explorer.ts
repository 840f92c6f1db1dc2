import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { readDependents } from '@trellis/workspace-db/catalogue/dependents'
import { type CatalogueTable, findTable } from '@trellis/workspace-db/catalogue/find-table'
import { listTables } from '@trellis/workspace-db/catalogue/list-tables'
import { withCatalogueSession } from '@trellis/workspace-db/catalogue/plain-session'
import { createNamesCache, readNames } from '@trellis/workspace-db/catalogue/read-names'
import { searchNames } from '@trellis/workspace-db/catalogue/search-names'
import { readTableDetails } from '@trellis/workspace-db/catalogue/table-details'
import { type Cluster, openCluster } from '@trellis/workspace-db/cluster'
import { generateWorkspaceKey } from '@trellis/workspace-db/names'
import { type WorkspaceDatabase, provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { copyRows } from '@trellis/workspace-db/rows/copy-rows'
import { encodeCursor } from '@trellis/workspace-db/rows/cursor'
import type { PageRequest } from '@trellis/workspace-db/rows/plan-page'
import { readPage } from '@trellis/workspace-db/rows/read-page'
import type { Session } from '@trellis/workspace-db/session'
import { createLocalStore } from '../apps/server/src/platform/object-store/local-store.ts'
import { type Figure, median, report } from './report.ts'

const ROUNDS = 7
const LONG = { statementMs: 3600_000, maxRows: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER }

interface Place {
  cluster: Cluster
  workspace: WorkspaceDatabase
  home: string
}

export async function run(args: string[]): Promise<void> {
  const readNumberFlag = (name: string, otherwise: number) =>
    args.includes(name) ? Number(args[args.indexOf(name) + 1]) : otherwise
  const rows = readNumberFlag('--rows', 2_000_000)
  const tables = readNumberFlag('--tables', 20_000)
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  // As root, Postgres runs as another user, who must be able to enter.
  await chmod(home, 0o711)
  const postgres = await startPostgres({
    dataDir: join(home, 'postgres'),
    settings: { max_wal_size: '4GB', synchronous_commit: 'off' },
  })
  try {
    const cluster = await openCluster({ adminUrl: postgres.url })
    const workspace = await provisionWorkspaceDatabase(cluster, { key: generateWorkspaceKey() })
    const place = { cluster, workspace, home }
    const figures = [...(await measureRows(place, rows)), ...(await measureNames(place, tables))]
    await cluster.close()
    await report('explorer', figures)
  } finally {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}

const inside = <T>({ cluster, workspace }: Place, work: (session: Session) => Promise<T>, role: 'ro' | 'rw' = 'ro') =>
  withCatalogueSession(cluster, { ...workspace, role, limits: LONG }, work)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function typical(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(work))
  return median(times)
}

async function getTable(session: Session, name: string): Promise<CatalogueTable> {
  const table = await findTable(session, { schema: 'data', name })
  if (!table) throw new Error(`there is no table ${name}`)
  return table
}

async function measureRows(place: Place, rows: number): Promise<Figure[]> {
  console.log(`Making a table of ${rows.toLocaleString('en')} rows …`)
  // The administrator has no limit on temporary files; measurements use normal sessions.
  await place.cluster.withAdmin(place.workspace.database, async (client) => {
    await client.query(`set role ${place.workspace.roles.owner}`)
    await client.query("set maintenance_work_mem = '1GB'")
    await client.query(
      `create unlogged table data.large as select n as id, n % 1000 as kind, n / 7.0 as amount, 'item ' || n % 100000 as name
         from (select generate_series(1::bigint, ${Math.trunc(rows)}) as n) numbers`,
    )
    await client.query('alter table data.large add primary key (id)')
    await client.query('analyze data.large')
  })
  const request: PageRequest = { limit: 100, filters: [] }
  const page = (more: Partial<PageRequest> = {}) =>
    typical(() =>
      inside(place, async (session) => readPage(session, await getTable(session, 'large'), { ...request, ...more })),
    )
  const deep = await inside(place, async (session) => {
    const { oid } = await getTable(session, 'large')
    const { rows: found } = await session.query({
      text: `select max(ctid)::text from data.large where id > ${rows - 200}`,
    })
    const block = Number(/\((\d+),/.exec(found[0]?.[0] ?? '')?.[1] ?? 0)
    const none = { phase: 'values', offset: 0 } as const
    return {
      places: encodeCursor({ ...none, scope: `${oid}:`, value: null, tie: [`(${Math.max(0, block - 10)},1)`] }),
      sorted: encodeCursor({ ...none, scope: `${oid}:asc:id`, value: String(rows - 500), tie: [] }),
    }
  })
  const first = await page()
  const last = await page({ after: deep.places })
  const sorted = await page({ sort: 'id', after: deep.sorted })
  const filtered = await page({ filters: [{ column: 'id', operator: 'eq', value: String(rows - 7) }] })
  const atMost = (what: string, value: number): Figure => ({
    what,
    value,
    unit: 'ms',
    limit: { value: 300, isAtMost: true },
  })
  const size = rows.toLocaleString('en')
  return [
    atMost(`first page of ${size} rows`, first),
    atMost('page at the very end', last),
    { what: 'end against first page', value: last / first, unit: '×', limit: { value: 3, isAtMost: true } },
    atMost('page at the end, sorted by the key', sorted),
    atMost('one row by its key as a filter', filtered),
    ...(await measureExport(place, Math.min(rows, 5_000_000))),
  ]
}

async function measureExport(place: Place, rows: number): Promise<Figure[]> {
  console.log(`Exporting ${rows.toLocaleString('en')} rows as CSV, against COPY into a file …`)
  const store = createLocalStore(join(place.home, 'objects'))
  const ours: number[] = []
  const bare: number[] = []
  let memory = 0
  const watch = setInterval(() => (memory = Math.max(memory, process.memoryUsage().rss)), 50)
  for (let round = 0; round < 3; round += 1) {
    const copy = `copy (select * from data.large where id <= ${rows}) to stdout with (format csv, header true)`
    bare.push(
      await timed(() =>
        inside(place, (session) =>
          pipeline(
            Readable.from(session.copyOut(copy), { objectMode: false }),
            createWriteStream(join(place.home, 'bare.csv')),
          ),
        ),
      ),
    )
    ours.push(
      await timed(() =>
        inside(place, async (session) => {
          const filters = [{ column: 'id', operator: 'lte', value: String(rows) }] as const
          const bytes = copyRows(session, await getTable(session, 'large'), { format: 'csv', filters })
          await store.put('exports/bench', Readable.from(bytes, { objectMode: false }))
        }),
      ),
    )
  }
  clearInterval(watch)
  return [
    { what: 'COPY into a file', value: rows / median(bare), unit: 'rows/ms' },
    { what: 'export as CSV', value: rows / median(ours), unit: 'rows/ms', peer: 'COPY into a file' },
    {
      what: 'share of COPY',
      value: median(bare) / median(ours),
      unit: '×',
      limit: { value: 0.9, isAtMost: false },
    },
    { what: 'memory while exporting', value: memory / 1024 / 1024, unit: 'MB', limit: { value: 256, isAtMost: true } },
  ]
}

const TABLES_AT_ONCE = 500

async function measureNames(place: Place, tables: number): Promise<Figure[]> {
  console.log(`Making ${tables.toLocaleString('en')} tables …`)
  await inside(
    place,
    async (session) => {
      for (let from = 1; from <= tables; from += TABLES_AT_ONCE) {
        const to = Math.min(from + TABLES_AT_ONCE - 1, tables)
        await session.query({
          text: `do $$ begin for n in ${from}..${to} loop
                   execute format('create table data.t_%s (id int, name text, c_%s int, created_at timestamptz)', n, n);
                 end loop; end $$`,
        })
      }
    },
    'rw',
  )
  const { database } = place.workspace
  const cache = createNamesCache()
  const list = (more: { search?: string; after?: string } = {}, known = cache) =>
    inside(place, async (session) => {
      const names = await readNames(session, { database, cache: known })
      await listTables(session, names, { schema: 'data', limit: 200, ...more })
    })
  const search = (text: string) =>
    inside(place, async (session) => {
      const names = await readNames(session, { database, cache })
      const hits = await searchNames(session, names, { search: text, limit: 50 })
      if (hits.length === 0) throw new Error(`nothing was found for ${text}`)
    })
  const details = () =>
    inside(place, async (session) => {
      const table = await getTable(session, `t_${tables}`)
      await readTableDetails(session, table)
      await readDependents(session, { kind: 'table', oid: table.oid })
    })
  const limit = { value: 1000, isAtMost: true } as const
  const cold = await typical(() => list({}, createNamesCache()))
  await list()
  return [
    { what: `first list of ${tables.toLocaleString('en')} tables`, value: cold, unit: 'ms', limit },
    { what: 'list again', value: await typical(() => list()), unit: 'ms', limit },
    { what: 'list from the middle', value: await typical(() => list({ after: 't_5' })), unit: 'ms', limit },
    { what: 'list with a search', value: await typical(() => list({ search: `_${tables}` })), unit: 'ms', limit },
    { what: 'search by table name', value: await typical(() => search(`t_${tables}`)), unit: 'ms', limit },
    { what: 'details of one of them', value: await typical(details), unit: 'ms', limit },
    { what: 'search by column name', value: await typical(() => search(`c_${tables}`)), unit: 'ms', limit },
  ]
}

import type { Dependent, Preview, TableDetails } from '@trellis/contract/explorer/explorer.schemas'
import { daysFromNow } from './fake-company.ts'
import { FakeError } from './fake-error.ts'
import { FAKE_DATABASE, fakeExport, fakeTable, type FakeTable } from './fake-explorer.ts'
import type { Handler, Input } from './fake-handler.ts'
import { matchesFilters, sortedRows } from './fake-rows.ts'
import type { FakeWorld } from './fake-world.ts'

const done = { done: true as const }
const said = (input: Input) =>
  ({ ...input.params, ...input.query, ...(input.body as object | undefined) }) as Record<string, string>

function findTable({ explorer }: FakeWorld, schema: string | undefined, name: string | undefined) {
  return explorer.tables.find((table) => table.schema === schema && table.name === name)
}

function getTable(world: FakeWorld, input: Input): FakeTable {
  const table = findTable(world, said(input)['schema_name'], said(input)['table_name'])
  if (!table) throw new FakeError('not_found')
  return table
}

const listLabels = ({ explorer }: FakeWorld, table: FakeTable) =>
  explorer.labels.filter((label) => table.labelIds.includes(label.id))

const toTableLine = (world: FakeWorld, table: FakeTable) => ({ ...table, labels: listLabels(world, table) })
const isView = (table: FakeTable) => table.kind !== 'table'
const sumSizes = (tables: readonly FakeTable[]) => tables.reduce((sum, table) => sum + table.size_bytes, 0)
const tablesIn = ({ explorer }: FakeWorld, schema: string | undefined) =>
  explorer.tables.filter((table) => table.schema === schema).toSorted((a, b) => a.name.localeCompare(b.name))

const toDatabase = (world: FakeWorld) => ({
  integration_trellis_code: FAKE_DATABASE,
  name: 'Growth',
  kind: 'managed' as const,
  state: 'online' as const,
  size_bytes: sumSizes(world.explorer.tables),
})

function listDependents(schema: string | undefined, table: string | undefined): Dependent[] {
  if (schema !== 'shop' || (table !== undefined && table !== 'orders')) return []
  const rest = { schema_name: null, code: null }
  return [
    {
      kind: 'view',
      schema_name: 'shop',
      name: 'daily_revenue',
      detail: 'Reads orders',
      effect: 'deleted',
      code: null,
    },
    { ...rest, kind: 'dataflow', name: 'Load (Daily)', detail: 'Writes orders.', effect: 'stops', code: 'daily' },
    { ...rest, kind: 'spark', name: 'Board (Sales)', detail: 'Reads orders', effect: 'stops', code: 'board' },
    { ...rest, kind: 'login', name: 'Power BI', detail: 'Signs in from outside', effect: 'kept' },
  ]
}

function getUsage({ explorer }: FakeWorld, schema: string | undefined, table: string | undefined) {
  const ownTables = explorer.tables.filter(
    (other) => other.schema === schema && (table === undefined || other.name === table),
  )
  const used_by = listDependents(schema, table)
  return {
    tables: ownTables.filter(({ kind }) => kind === 'table').length,
    views: ownTables.filter(({ kind }) => kind === 'view').length,
    rows_estimate: ownTables.reduce((sum, one) => sum + (one.rows_estimate ?? 0), 0),
    size_bytes: sumSizes(ownTables),
    used_by,
    uses: [],
    needs_cascade: used_by.length > 0 || (table === undefined && ownTables.length > 0),
    confirmation: `agreed to ${used_by.length}`,
  }
}

function putIntoBin({ explorer }: FakeWorld, schema: string, table: string | null) {
  const held = explorer.tables.filter((other) => other.schema === schema && (table === null || other.name === table))
  explorer.tables = explorer.tables.filter((other) => !held.includes(other))
  const deletion_code = String(explorer.deletions.length + 1).padStart(16, '0')
  explorer.deletions.unshift({
    deletion_code,
    integration_trellis_code: FAKE_DATABASE,
    kind: table === null ? 'schema' : 'table',
    schema_name: schema,
    table_name: table,
    tables: held.length,
    rows_estimate: held.reduce((sum, one) => sum + (one.rows_estimate ?? 0), 0),
    size_bytes: sumSizes(held),
    deleted_at: daysFromNow(0),
    deleted_by: 'Ada Lovelace',
    purge_at: daysFromNow(7),
    held,
  })
  return { done: true as const, deletion_code }
}

const reading: Record<string, Handler> = {
  getExplorerHome: (world) => ({
    databases: [toDatabase(world), ...world.explorer.connected],
    recent_tables: world.explorer.recent.map((item) => ({
      ...item,
      integration_trellis_code: FAKE_DATABASE,
      opened_at: daysFromNow(-1),
    })),
    recent_worksheets: [],
    storage: { used_bytes: sumSizes(world.explorer.tables), limit_bytes: 1024 ** 3 },
  }),
  searchWorksheets: () => [],
  getRowEditing: () => ({ can_edit: false, reason: 'Only for looking at.', key: [], columns: [], last_edit: null }),
  listProjects: () => [],
  listDatabases: (world) => [toDatabase(world), ...world.explorer.connected],
  listSchemas: ({ explorer }) => explorer.schemas,
  getDatabaseInformation: (world) => ({
    ...toDatabase(world),
    server_version: '17.6',
    schemas: world.explorer.schemas.map((name) => ({
      name,
      description: null,
      table_count: tablesIn(world, name).filter((table) => !isView(table)).length,
      view_count: tablesIn(world, name).filter(isView).length,
    })),
  }),
  listTables: (world, { params, query }) => {
    if (!world.explorer.schemas.includes(params['schema_name'] ?? '')) throw new FakeError('not_found')
    const { search = '', label_id, after = '', limit = '200' } = query
    const all = tablesIn(world, params['schema_name'])
      .filter((table) => table.name.toLowerCase().includes(search.toLowerCase()))
      .filter((table) => label_id === undefined || table.labelIds.includes(Number(label_id)))
      .filter((table) => after === '' || table.name.localeCompare(after) > 0)
    const items = all.slice(0, Number(limit)).map((table) => toTableLine(world, table))
    return { items, next_after: all.length > items.length ? (items.at(-1)?.name ?? null) : null }
  },
  searchDatabase: (world, { query }) => {
    const words = (query['search'] ?? '').toLowerCase()
    return world.explorer.tables.flatMap((table) => {
      const hit = { schema_name: table.schema, table_name: table.name, kind: table.kind }
      const isOwn = table.name.toLowerCase().includes(words)
      const column = table.columns.find(({ name }) => name.toLowerCase().includes(words))
      return isOwn || column ? [{ ...hit, column_name: isOwn ? null : (column?.name ?? null) }] : []
    })
  },
  getTableDetails: (world, input): TableDetails => {
    const table = getTable(world, input)
    return {
      ...toTableLine(world, table),
      table_id: '16401',
      schema_name: table.schema,
      index_bytes: 16_384,
      primary_key: table.columns.filter((column) => column.is_primary_key).map((column) => column.name),
      indexes: [
        {
          name: `${table.name}_pkey`,
          method: 'btree',
          definition: `CREATE UNIQUE INDEX ${table.name}_pkey ON ${table.schema}.${table.name} USING btree (id)`,
          is_unique: true,
          size_bytes: 16_384,
        },
      ],
      references:
        table.name === 'orders'
          ? [
              {
                name: 'orders_customer_fkey',
                columns: ['customer'],
                schema_name: 'shop',
                table_name: 'customers',
                other_columns: ['id'],
              },
            ]
          : [],
      referenced_by: [],
      dependents: listDependents(table.schema, table.name),
      dependencies: [],
      view_definition: isView(table)
        ? " SELECT date_trunc('day', placed_at) AS day, sum(amount)\n   FROM orders"
        : null,
      analyzed_at: daysFromNow(-2),
      last_load: {
        load_id: '44444444-4444-4444-8444-444444444444',
        mode: 'append',
        source: 'orders-november.csv',
        rows: 4200,
        finished_at: daysFromNow(-3),
        by: 'Ada Lovelace',
        can_undo: false,
      },
    }
  },
  getTableUsage: (world, { params, query }) => getUsage(world, params['schema_name'], query['table_name']),
  listDeletions: ({ explorer }) => ({
    items: explorer.deletions.map(({ held, ...one }) => ({ ...one, tables: held.length })),
    size_bytes: explorer.deletions.reduce((sum, one) => sum + one.size_bytes, 0),
  }),
  getSchemaSummary: (world, { params }) => {
    const tables = tablesIn(world, params['schema_name'])
    if (!world.explorer.schemas.includes(params['schema_name'] ?? '')) throw new FakeError('not_found')
    return {
      name: params['schema_name'],
      description: null,
      table_count: tables.filter((table) => !isView(table)).length,
      view_count: tables.filter(isView).length,
      size_bytes: sumSizes(tables),
      rows_estimate: tables.reduce((sum, table) => sum + (table.rows_estimate ?? 0), 0),
      largest: tables.toSorted((a, b) => b.size_bytes - a.size_bytes).slice(0, 5),
      latest_loads: tables.slice(0, 1).map((table) => ({
        load_id: '44444444-4444-4444-8444-444444444444',
        table_name: table.name,
        mode: 'append',
        source: 'ad-spend.csv',
        rows: 4200,
        finished_at: daysFromNow(-3),
        by: 'Ada Lovelace',
        can_undo: false,
      })),
      file_count: 2,
    }
  },
  getTableDescription: (world, input) => {
    const table = getTable(world, input)
    return {
      description: table.description ?? '',
      columns: table.columns.map(({ name }) => ({ name, description: table.columnTexts[name] ?? '' })),
    }
  },
}

const rows: Record<string, Handler> = {
  previewTable: (world, input): Preview => {
    const table = getTable(world, input)
    const found = sortedRows(table, matchesFilters(table, input.query['filters']), input.query)
    const from = Number(input.query['after'] ?? 0)
    const limit = Number(input.query['limit'] ?? 100)
    const page = found.slice(from, from + limit)
    return {
      columns: table.columns.map(({ name, type }) => ({ name, type, is_sortable: type !== 'jsonb' })),
      rows: page.map((cells) => ({ key: cells[0] ?? null, cells, cut: [] })),
      next: found.length > from + limit ? String(from + limit) : null,
      rows_estimate: table.rows_estimate,
      note: isView(table) ? 'A view can be read up to its first 1,000 rows.' : null,
    }
  },
  getCell: (world, input) => {
    const table = getTable(world, input)
    const at = table.columns.findIndex((column) => column.name === input.query['column'])
    const value = table.rows.find(([key]) => key === input.query['key'])?.[at] ?? null
    return { value, bytes: value?.length ?? 0, is_cut: false }
  },
  countRows: (world, input) => {
    const table = getTable(world, input)
    return { rows: matchesFilters(table, input.query['filters']).length }
  },
  exportTable: (world, input) => {
    const { format } = input.body as { format: 'csv' }
    const job = fakeExport({ ...said(input), format, file_name: `${said(input)['table_name']}.${format}` })
    world.explorer.exports = [job, ...world.explorer.exports]
    return job
  },
  listExports: ({ explorer }) => explorer.exports,
  getExport: ({ explorer }, { params }) => {
    const job = explorer.exports.find((candidate) => candidate.job_id === params['job_id'])
    if (!job) throw new FakeError('not_found')
    Object.assign(job, explorer.exportAnswers.shift())
    return job
  },
  cancelExport: ({ explorer }, { params }) => {
    const job = explorer.exports.find((candidate) => candidate.job_id === params['job_id'])
    if (!job) throw new FakeError('not_found')
    return Object.assign(job, { status: 'cancelled' })
  },
}

const writing: Record<string, Handler> = {
  setTableDescription: (world, input) => {
    const table = getTable(world, input)
    const { description, columns = [] } = input.body as {
      description?: string
      columns?: { name: string; description: string }[]
    }
    table.description = description ?? table.description
    for (const column of columns) table.columnTexts[column.name] = column.description
    return reading['getTableDescription']?.(world, input)
  },
  createSchema: ({ explorer }, input) => {
    const { schema_name = '' } = said(input)
    if (explorer.schemas.includes(schema_name))
      throw new FakeError('conflict', {
        detail: 'There is a schema with this name already.',
        source: { pointer: '/schema_name' },
      })
    explorer.schemas.push(schema_name)
    return done
  },
  renameSchema: ({ explorer }, input) => {
    const { schema_name, new_schema_name = '' } = said(input)
    explorer.schemas = explorer.schemas.map((item) => (item === schema_name ? new_schema_name : item))
    for (const table of explorer.tables) if (table.schema === schema_name) table.schema = new_schema_name
    return done
  },
  deleteSchema: (world, input) => {
    const { schema_name = '', cascade } = said(input)
    if (getUsage(world, schema_name, undefined).needs_cascade && cascade !== 'true') throw new FakeError('conflict')
    world.explorer.schemas = world.explorer.schemas.filter((item) => item !== schema_name)
    return putIntoBin(world, schema_name, null)
  },
  restoreDeletion: ({ explorer }, { params, body }) => {
    const deletion = explorer.deletions.find((candidate) => candidate.deletion_code === params['deletion_code'])
    if (!deletion) throw new FakeError('not_found')
    const { new_name } = body as { new_name?: string }
    const name = deletion.table_name === null ? null : (new_name ?? deletion.table_name)
    if (explorer.tables.some((table) => table.schema === deletion.schema_name && table.name === name)) {
      throw new FakeError('conflict', {
        detail: `${deletion.schema_name}.${name} exists already. Choose another name.`,
      })
    }
    for (const table of deletion.held) explorer.tables.push({ ...table, name: name ?? table.name })
    if (name === null) explorer.schemas.push(new_name ?? deletion.schema_name)
    explorer.deletions = explorer.deletions.filter((other) => other !== deletion)
    return { schema_name: deletion.schema_name, table_name: name, notes: [] }
  },
  purgeDeletion: ({ explorer }, { params }) => {
    explorer.deletions = explorer.deletions.filter((deletion) => deletion.deletion_code !== params['deletion_code'])
    return done
  },
  createTable: (world, input) => {
    const { schema_name = '', table_name = '' } = said(input)
    if (findTable(world, schema_name, table_name))
      throw new FakeError('conflict', {
        detail: 'There is a table with this name already.',
        source: { pointer: '/table_name' },
      })
    world.explorer.tables.push(fakeTable(schema_name, table_name, { rows: [], rows_estimate: 0 }))
    return done
  },
  renameTable: (world, input) => {
    const { schema_name, new_table_name = '' } = said(input)
    if (findTable(world, schema_name, new_table_name))
      throw new FakeError('conflict', {
        detail: 'There is a table with this name already.',
        source: { pointer: '/new_table_name' },
      })
    getTable(world, input).name = new_table_name
    return done
  },
  deleteTable: (world, input) => {
    const table = getTable(world, input)
    if (listDependents(table.schema, table.name).length > 0 && said(input)['cascade'] !== 'true')
      throw new FakeError('conflict', { detail: 'Other things depend on this table.' })
    return putIntoBin(world, table.schema, table.name)
  },
  listLabels: ({ explorer }) =>
    explorer.labels.map((label) => ({
      ...label,
      table_count: explorer.tables.filter((table) => table.labelIds.includes(label.id)).length,
    })),
  createLabel: ({ explorer }, input) => {
    const { name = '', color = '' } = said(input)
    if (explorer.labels.some((other) => other.name === name))
      throw new FakeError('conflict', {
        detail: 'There is a label with this name already.',
        source: { pointer: '/name' },
      })
    const label = { id: explorer.labels.length + 10, name, color }
    explorer.labels.push(label)
    return label
  },
  updateLabel: ({ explorer }, { body }) => {
    const change = body as { id: number }
    const label = explorer.labels.find((candidate) => candidate.id === change.id)
    if (!label) throw new FakeError('not_found')
    return Object.assign(label, change)
  },
  deleteLabel: ({ explorer }, { body }) => {
    const { id } = body as { id: number }
    explorer.labels = explorer.labels.filter((label) => label.id !== id)
    return done
  },
  setTableLabels: (world, input) => {
    const table = getTable(world, input)
    table.labelIds = (input.body as { label_ids: number[] }).label_ids
    return listLabels(world, table)
  },
}

export const explorerHandlers: Record<string, Handler> = { ...reading, ...rows, ...writing }

import type { SchemaPolicy, WriteStrategy } from '@trellis/contract/dataflows/dataflow-words'
import { PRIMARY_KEY_MESSAGE } from '@trellis/contract/dataflows/dataflow-words'
import type { Answer, SchemaChange } from './schema-change.ts'
import { describeSchemaChange, decideSchema, findSchemaChanges } from './schema-change.ts'
import { type SourceChange, isSourceChange } from './source-change.ts'
import type { ExistingTable, LoadColumn, WantedTable } from './tables.ts'
import { toPostgresType } from './tables.ts'

export type LoadStep =
  /** Aborts if the epoch was raised. First in every writing transaction. */
  | { readonly do: 'check_fence' }
  | { readonly do: 'create_table'; readonly columns: readonly LoadColumn[]; readonly primaryKey: readonly string[] }
  | { readonly do: 'alter'; readonly change: SchemaChange }
  | { readonly do: 'create_index'; readonly on: 'table' | 'beside'; readonly column: string; readonly type: string }
  | { readonly do: 'create_key'; readonly on: 'beside'; readonly columns: readonly string[] }
  /** `lasting`: holds several chunks, so it must survive a crash (logged). */
  | {
      readonly do: 'create_stage' | 'create_beside'
      readonly isLasting: boolean
      readonly columns: readonly LoadColumn[]
      /** Columns missing at the source, kept as NULL for dependent objects. */
      readonly emptyColumns: readonly { readonly name: string; readonly postgres: string }[]
    }
  | { readonly do: 'fill'; readonly into: 'stage' | 'beside' }
  | { readonly do: 'dedupe'; readonly key: readonly string[]; readonly newestBy: string | null }
  | { readonly do: 'append'; readonly columns: readonly string[] }
  | {
      readonly do: 'merge'
      readonly key: readonly string[]
      readonly columns: readonly string[]
      readonly newestBy: string | null
    }
  | { readonly do: 'empty_stage' | 'drop_stage' | 'keep_cursor' | 'verify_count' }
  /** `rows`: dependents keep the table, so its rows are replaced. */
  | { readonly do: 'swap'; readonly by: 'name' | 'rows' }
  /** Dry run: compares instead of swapping. */
  | { readonly do: 'compare' }
  | { readonly do: 'receipt'; readonly isDone: boolean }

/** Steps of one transaction; `chunk` repeats. Read the cursor after `prepare`, which fences earlier workers. */
export interface LoadPhase {
  readonly name: 'prepare' | 'chunk' | 'build' | 'publish'
  readonly steps: readonly LoadStep[]
}

export interface LoadRequest {
  readonly strategy: WriteStrategy
  readonly wanted: WantedTable
  readonly existing: ExistingTable | null
  readonly policy: SchemaPolicy
  readonly answers?: Readonly<Record<string, Answer>>
  /** Null on a first run, where differences are no changes of the source. */
  readonly source?: SourceChange | null
  readonly ownColumns?: readonly string[]
}

export type LoadPlan =
  | {
      readonly do: 'load'
      readonly phases: readonly LoadPhase[]
      readonly columns: readonly LoadColumn[]
      readonly log: readonly string[]
      readonly make: readonly SchemaChange[]
      readonly leave: readonly SchemaChange[]
    }
  | { readonly do: 'ask'; readonly questions: readonly SchemaChange[] }
  /** The table is frozen. */
  | { readonly do: 'fail'; readonly changes: readonly SchemaChange[] }
  | { readonly do: 'pause' | 'refuse'; readonly reason: string }

export function planLoad(request: LoadRequest): LoadPlan {
  const { strategy, wanted, existing, policy, answers = {} } = request
  if (wanted.columns.length === 0) return { do: 'refuse', reason: 'The source has no columns.' }
  if (strategy === 'Upsert' && wanted.primaryKey.length === 0) return { do: 'refuse', reason: PRIMARY_KEY_MESSAGE }
  const changes = existing ? filterRelevant(listAllChanges(request, existing), request) : listLostKeys(wanted)
  const isNew = (change: SchemaChange) => isSourceChange(change, request.source ?? null)
  const decision = decideSchema(changes, policy, { answers, isNew, fixedTypeColumns: existing?.fixedTypeColumns ?? [] })
  if (decision.do === 'pause') return { do: 'pause', reason: decision.open.map(describeSchemaChange).join(' ') }
  if (decision.do === 'fail') return { do: 'fail', changes: decision.open }
  if (decision.do === 'ask') return { do: 'ask', questions: decision.open }
  const columns = listLoadColumns(request, decision.leave)
  if (columns.length === 0) return { do: 'refuse', reason: 'None of the columns of the source is in the table.' }
  const phases = BUILD_PHASES[strategy]({ wanted, existing, columns, make: decision.make })
  const log = [
    ...decision.make.map(describeSchemaChange),
    ...decision.leave.map((change) => describeSkippedChange(change)),
  ]
  return { do: 'load', phases, columns, log, make: decision.make, leave: decision.leave }
}

/** New in the data model, even if the table happens to have the column. */
function listAllChanges(
  { wanted, source, ownColumns = [] }: LoadRequest,
  existingTable: ExistingTable,
): SchemaChange[] {
  const schemaChanges = findSchemaChanges(wanted, existingTable)
  const isListed = (name: string) => schemaChanges.some((change) => 'column' in change && change.column === name)
  const added = wanted.columns.filter(({ name }) => source?.added.includes(name) && !isListed(name))
  const changes = [...added.map(({ name, type }) => ({ kind: 'add' as const, column: name, type })), ...schemaChanges]
  return changes.map((change) =>
    (change.kind === 'add' || change.kind === 'gone') && ownColumns.includes(change.column)
      ? { ...change, isOwn: true }
      : change,
  )
}

const describeSkippedChange = (change: SchemaChange): string =>
  change.kind === 'gone' ? describeSchemaChange(change) : `${describeSchemaChange(change)} The table is left as it is.`

function listLoadColumns({ wanted, existing }: LoadRequest, leave: readonly SchemaChange[]): LoadColumn[] {
  return wanted.columns.flatMap((column) => {
    const skippedChange = leave.find((change) => 'type' in change && change.column === column.name)
    if (skippedChange?.kind === 'add') return []
    const existingColumn = existing?.columns.find(({ name }) => name === column.name)
    return [
      { ...column, postgres: skippedChange && existingColumn ? existingColumn.type : toPostgresType(column.type) },
    ]
  })
}

function filterRelevant(changes: readonly SchemaChange[], { strategy, wanted }: LoadRequest): SchemaChange[] {
  const relevantChanges = changes.filter(({ kind }) => kind !== 'change_key' || strategy === 'Upsert')
  if (strategy !== 'Replace') return relevantChanges
  return relevantChanges.map((change) =>
    change.kind === 'allow_null' || (change.kind === 'lost_key' && !wanted.primaryKey.includes(change.column))
      ? { kind: 'gone', column: change.column }
      : change,
  )
}

const listLostKeys = ({ primaryKey, columns }: WantedTable): SchemaChange[] =>
  primaryKey.flatMap((column) =>
    columns.some(({ name }) => name === column) ? [] : [{ kind: 'lost_key' as const, column }],
  )

interface LoadShape {
  wanted: WantedTable
  existing: ExistingTable | null
  columns: readonly LoadColumn[]
  make: readonly SchemaChange[]
}

const BUILD_PHASES: Readonly<Record<WriteStrategy, (shape: LoadShape) => LoadPhase[]>> = {
  Append: (shape) => [
    buildPreparePhase(shape),
    buildChunkPhase([
      { do: 'fill', into: 'stage' },
      { do: 'append', columns: listNames(shape) },
      { do: 'empty_stage' },
      { do: 'keep_cursor' },
    ]),
    buildPublishPhase([{ do: 'drop_stage' }]),
  ],
  Upsert: (shape) => {
    const { primaryKey: key, newestBy } = shape.wanted
    return [
      buildPreparePhase(shape),
      buildChunkPhase([
        { do: 'fill', into: 'stage' },
        { do: 'dedupe', key, newestBy },
        { do: 'merge', key, columns: listNames(shape), newestBy },
        { do: 'empty_stage' },
        { do: 'keep_cursor' },
      ]),
      buildPublishPhase([{ do: 'drop_stage' }]),
    ]
  },
  Replace: ({ wanted, existing, columns, make }) => [
    {
      name: 'prepare',
      steps: [
        { do: 'check_fence' },
        { do: 'create_beside', isLasting: true, columns, emptyColumns: listGoneColumns(wanted, existing) },
      ],
    },
    buildChunkPhase([{ do: 'fill', into: 'beside' }, { do: 'keep_cursor' }]),
    {
      name: 'build',
      steps: [
        { do: 'check_fence' },
        ...(wanted.primaryKey.length > 0
          ? [
              { do: 'dedupe', key: wanted.primaryKey, newestBy: wanted.newestBy } as const,
              { do: 'create_key', on: 'beside', columns: wanted.primaryKey } as const,
            ]
          : []),
        ...toIndexSteps(wanted, columns, 'beside'),
      ],
    },
    buildPublishPhase([
      { do: 'verify_count' },
      ...(existing?.hasDependents ? make.map((change): LoadStep => ({ do: 'alter', change })) : []),
      { do: 'swap', by: existing?.hasDependents ? 'rows' : 'name' },
    ]),
  ],
}

export function buildDryRunPhases(wantedTable: WantedTable, columns: readonly LoadColumn[]): LoadPhase[] {
  const replacePhases = BUILD_PHASES.Replace({
    wanted: { ...wantedTable, indexes: [] },
    existing: null,
    columns,
    make: [],
  })
  return replacePhases.map((phase) =>
    phase.name === 'publish' ? buildPublishPhase([{ do: 'verify_count' }, { do: 'compare' }]) : phase,
  )
}

const listGoneColumns = (wantedTable: WantedTable, existingTable: ExistingTable | null) =>
  (existingTable?.columns ?? [])
    .filter(({ name }) => !wantedTable.columns.some((column) => column.name === name))
    .map(({ name, type }) => ({ name, postgres: type }))

const listNames = ({ columns }: LoadShape): string[] => columns.map(({ name }) => name)

function buildPreparePhase({ wanted, existing, columns, make }: LoadShape): LoadPhase {
  const tableSteps: LoadStep[] = existing
    ? make.map((change) => ({ do: 'alter', change }))
    : [{ do: 'create_table', columns, primaryKey: wanted.primaryKey }, ...toIndexSteps(wanted, columns, 'table')]
  const stageStep: LoadStep = { do: 'create_stage', isLasting: false, columns, emptyColumns: [] }
  return { name: 'prepare', steps: [{ do: 'check_fence' }, ...tableSteps, stageStep] }
}

const toIndexSteps = (wantedTable: WantedTable, columns: readonly LoadColumn[], on: 'table' | 'beside'): LoadStep[] =>
  wantedTable.indexes
    .filter(({ column }) => columns.some(({ name }) => name === column))
    .map(({ column, type }) => ({ do: 'create_index', on, column, type }))

const buildChunkPhase = (steps: readonly LoadStep[]): LoadPhase => ({
  name: 'chunk',
  steps: [{ do: 'check_fence' }, ...steps, { do: 'receipt', isDone: false }],
})

const buildPublishPhase = (steps: readonly LoadStep[]): LoadPhase => ({
  name: 'publish',
  steps: [{ do: 'check_fence' }, ...steps, { do: 'receipt', isDone: true }],
})

import type { SchemaPolicy } from '@trellis/contract/dataflows/dataflow-words'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { COLUMN_TYPES } from '@trellis/contract/explorer/column-types'
import { compareTypes } from './column-change.ts'
import type { ExistingTable, WantedTable } from './tables.ts'

interface OwnChange {
  readonly isOwn?: boolean
}

export type SchemaChange =
  | ({ readonly kind: 'add'; readonly column: string; readonly type: ColumnType } & OwnChange)
  | {
      readonly kind: 'widen' | 'narrow' | 'convert'
      readonly column: string
      readonly from: string
      readonly type: ColumnType
    }
  /** The source dropped the column. */
  | { readonly kind: 'allow_null'; readonly column: string }
  | ({ readonly kind: 'gone'; readonly column: string } & OwnChange)
  | { readonly kind: 'lost_key'; readonly column: string }
  | { readonly kind: 'change_key'; readonly from: readonly string[]; readonly to: readonly string[] }

/** Stable, so that a decision is remembered; a new column keeps its id whatever its type. */
export const toChangeId = (change: SchemaChange): string => {
  if (change.kind === 'change_key') return `change_key:${change.to.join(',')}`
  if (change.kind === 'add') return `add:${change.column}`
  return 'type' in change ? `${change.kind}:${change.column}:${change.type}` : `${change.kind}:${change.column}`
}

export function findSchemaChanges(wantedTable: WantedTable, existingTable: ExistingTable): SchemaChange[] {
  return [
    ...wantedTable.columns.flatMap((column) => findColumnChange(column, existingTable)),
    ...existingTable.columns.flatMap((column) => findGoneColumnChange(column, wantedTable, existingTable)),
    ...findKeyChange(wantedTable, existingTable),
  ]
}

function findColumnChange(
  { name, type }: WantedTable['columns'][number],
  existingTable: ExistingTable,
): SchemaChange[] {
  const existingColumn = existingTable.columns.find((column) => column.name === name)
  if (!existingColumn) return [{ kind: 'add', column: name, type }]
  const kind = ({ same: null, wider: 'widen', narrower: 'narrow', other: 'convert' } as const)[
    compareTypes(existingColumn.type, type)
  ]
  return kind === null ? [] : [{ kind, column: name, from: existingColumn.type, type }]
}

type OldColumn = ExistingTable['columns'][number]
function findGoneColumnChange(
  { name, isNullable }: OldColumn,
  wantedTable: WantedTable,
  existingTable: ExistingTable,
): SchemaChange[] {
  if (wantedTable.columns.some((column) => column.name === name)) return []
  if (existingTable.primaryKey.includes(name)) return [{ kind: 'lost_key', column: name }]
  return [{ kind: isNullable ? 'gone' : 'allow_null', column: name }]
}

function findKeyChange({ primaryKey: to, columns }: WantedTable, { primaryKey: from }: ExistingTable): SchemaChange[] {
  const lostColumns = to.filter((name) => !columns.some((column) => column.name === name))
  if (lostColumns.length > 0) return lostColumns.map((column) => ({ kind: 'lost_key', column }))
  const isSameKey = from.length === to.length && to.every((name) => from.includes(name))
  return isSameKey || to.length === 0 ? [] : [{ kind: 'change_key', from, to }]
}

export type Answer = 'change' | 'keep'

export interface SchemaDecision {
  readonly do: 'go' | 'ask' | 'pause' | 'fail'
  readonly make: readonly SchemaChange[]
  readonly leave: readonly SchemaChange[]
  readonly open: readonly SchemaChange[]
}

interface DecisionFacts {
  readonly answers?: Readonly<Record<string, Answer>>
  /** A dependent view prevents changing the type. */
  readonly fixedTypeColumns?: readonly string[]
  readonly isNew?: (change: SchemaChange) => boolean
}

/**
 * `evolve` adds and widens, and asks before losing values; `ask` always asks; `freeze` fails. A lost key always stops
 * the block.
 */
export function decideSchema(
  changes: readonly SchemaChange[],
  policy: SchemaPolicy,
  { answers = {}, fixedTypeColumns = [], isNew = () => false }: DecisionFacts = {},
): SchemaDecision {
  const lostChanges = changes.filter(({ kind }) => kind === 'lost_key')
  if (lostChanges.length > 0) return { do: 'pause', make: [], leave: [], open: lostChanges }
  const changesByVerdict = { change: [], keep: [], ask: [], fail: [] } as Record<Verdict, SchemaChange[]>
  for (const change of changes)
    changesByVerdict[decideChange(change, policy, { answers, fixedTypeColumns, isNew })].push(change)
  const { change: make, keep: leave, ask, fail } = changesByVerdict
  if (fail.length > 0) return { do: 'fail', make: [], leave: [], open: fail }
  return { do: ask.length > 0 ? 'ask' : 'go', make, leave, open: ask }
}

type Verdict = Answer | 'ask' | 'fail'
const TYPE_CHANGES: ReadonlySet<string> = new Set(['widen', 'narrow', 'convert'])

export const isOwnChange = (change: SchemaChange): boolean => 'isOwn' in change && change.isOwn

function decideChange(change: SchemaChange, policy: SchemaPolicy, facts: Required<DecisionFacts>): Verdict {
  if (isOwnChange(change)) return change.kind === 'gone' ? 'keep' : 'change'
  // A dependent view prevents the change.
  const isTypeFixed =
    'column' in change && TYPE_CHANGES.has(change.kind) && facts.fixedTypeColumns.includes(change.column)
  const policyVerdict = decideByPolicy(change, policy, facts.isNew(change))
  const answer = facts.answers[toChangeId(change)] ?? 'ask'
  const verdict = policyVerdict === 'ask' || (policyVerdict === 'change' && isTypeFixed) ? answer : policyVerdict
  if (verdict !== 'change') return verdict
  if (isTypeFixed) return 'ask'
  return change.kind === 'gone' ? 'keep' : 'change'
}

function decideByPolicy({ kind }: SchemaChange, policy: SchemaPolicy, isNew: boolean): Verdict {
  if (isNew && policy === 'freeze') return 'fail'
  if (kind === 'gone') return isNew && policy === 'ask' ? 'ask' : 'keep'
  // Otherwise no row could be written.
  if (kind === 'allow_null') return policy === 'ask' ? 'ask' : 'change'
  // Upsert needs its key.
  if (kind === 'change_key') return 'ask'
  if (policy === 'freeze') return 'keep'
  if (policy === 'ask') return 'ask'
  return kind === 'add' || kind === 'widen' ? 'change' : 'ask'
}

export const canKeep = ({ kind }: SchemaChange): boolean => kind !== 'allow_null' && kind !== 'change_key'

export function describeIgnoredChange(change: SchemaChange): string {
  switch (change.kind) {
    case 'add':
      return `${change.column} is left out, now and in later runs.`
    case 'gone':
      return `New rows have nothing in ${change.column}.`
    case 'widen':
    case 'narrow':
    case 'convert':
      return `${change.column} stays ${change.from}; rows with values that do not fit are rejected.`
    default:
      return 'No row could be written.'
  }
}

const getTypeLabel = (type: ColumnType): string => COLUMN_TYPES[type].label.toLowerCase()

export function describeSchemaChange(change: SchemaChange): string {
  switch (change.kind) {
    case 'add':
      return change.isOwn
        ? `The table gets the column ${change.column} (${getTypeLabel(change.type)}).`
        : `The source has a new column ${change.column} (${getTypeLabel(change.type)}).`
    case 'widen':
      return `${change.column} becomes ${getTypeLabel(change.type)}; it was ${change.from}. Every value it has stays as it is.`
    case 'narrow':
      return `${change.column} would become ${getTypeLabel(change.type)}; it is ${change.from}. Values that do not fit would be lost.`
    case 'convert':
      return `${change.column} would become ${getTypeLabel(change.type)}; it is ${change.from}. Values and what reads them would change.`
    case 'allow_null':
      return `The source no longer has ${change.column}; new rows have nothing there.`
    case 'gone':
      if (change.isOwn) return `${change.column} is not written any more; what the table holds there stays.`
      return `The source no longer has ${change.column}; what the table holds stays, new rows have nothing there.`
    case 'lost_key':
      return `The source no longer has ${change.column}, which tells rows apart. Choose another primary key.`
    case 'change_key':
      return `Rows would be told apart by ${change.to.join(', ')}; now it is ${change.from.join(', ') || 'nothing'}.`
  }
}

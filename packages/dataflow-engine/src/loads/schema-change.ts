import type { SchemaPolicy } from '@trellis/contract/dataflows/dataflow-words'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { COLUMN_TYPES } from '@trellis/contract/explorer/column-types'
import { typeRelation } from './column-change.ts'
import type { ExistingTable, WantedTable } from './tables.ts'

export type SchemaChange =
  | { readonly kind: 'add'; readonly column: string; readonly type: ColumnType }
  | {
      readonly kind: 'widen' | 'narrow' | 'convert'
      readonly column: string
      readonly from: string
      readonly type: ColumnType
    }
  /** The source has it no longer; it must do without a value from now on. */
  | { readonly kind: 'allow_null'; readonly column: string }
  | { readonly kind: 'gone'; readonly column: string }
  | { readonly kind: 'lost_key'; readonly column: string }
  | { readonly kind: 'change_key'; readonly from: readonly string[]; readonly to: readonly string[] }

/** The same for the same change, so that an answer is remembered. */
export const changeId = (change: SchemaChange): string => {
  if (change.kind === 'change_key') return `change_key:${change.to.join(',')}`
  return 'type' in change ? `${change.kind}:${change.column}:${change.type}` : `${change.kind}:${change.column}`
}

export function schemaChanges(wanted: WantedTable, existing: ExistingTable): SchemaChange[] {
  return [
    ...wanted.columns.flatMap((column) => columnChange(column, existing)),
    ...existing.columns.flatMap((column) => goneChange(column, wanted, existing)),
    ...keyChange(wanted, existing),
  ]
}

function columnChange({ name, type }: WantedTable['columns'][number], existing: ExistingTable): SchemaChange[] {
  const old = existing.columns.find((column) => column.name === name)
  if (!old) return [{ kind: 'add', column: name, type }]
  const kind = ({ same: null, wider: 'widen', narrower: 'narrow', other: 'convert' } as const)[
    typeRelation(old.type, type)
  ]
  return kind === null ? [] : [{ kind, column: name, from: old.type, type }]
}

type OldColumn = ExistingTable['columns'][number]
function goneChange({ name, isNullable }: OldColumn, wanted: WantedTable, existing: ExistingTable): SchemaChange[] {
  if (wanted.columns.some((column) => column.name === name)) return []
  if (existing.primaryKey.includes(name)) return [{ kind: 'lost_key', column: name }]
  return [{ kind: isNullable ? 'gone' : 'allow_null', column: name }]
}

function keyChange({ primaryKey: to, columns }: WantedTable, { primaryKey: from }: ExistingTable): SchemaChange[] {
  const lost = to.filter((name) => !columns.some((column) => column.name === name))
  if (lost.length > 0) return lost.map((column) => ({ kind: 'lost_key', column }))
  const isSame = from.length === to.length && to.every((name) => from.includes(name))
  return isSame || to.length === 0 ? [] : [{ kind: 'change_key', from, to }]
}

export type Answer = 'change' | 'keep'

export interface SchemaDecision {
  readonly do: 'go' | 'ask' | 'pause'
  /** Changes to make before loading. */
  readonly make: readonly SchemaChange[]
  /** Changes that are not made: the table's own type or lack of a column decides. */
  readonly leave: readonly SchemaChange[]
  /** What somebody has to answer first, or what stops the block. */
  readonly open: readonly SchemaChange[]
}

/** Widening goes by itself, narrowing asks, a lost key pauses. Answers are by `changeId`. */
export function decideSchema(
  changes: readonly SchemaChange[],
  policy: SchemaPolicy,
  options: { answers?: Readonly<Record<string, Answer>>; isHeld?: boolean } = {},
): SchemaDecision {
  const lost = changes.filter(({ kind }) => kind === 'lost_key')
  if (lost.length > 0) return { do: 'pause', make: [], leave: [], open: lost }
  const make: SchemaChange[] = []
  const leave: SchemaChange[] = []
  const open: SchemaChange[] = []
  for (const change of changes) {
    const answer = change.kind === 'gone' ? 'keep' : (options.answers?.[changeId(change)] ?? byItself(change, policy))
    // A view on a column keeps Postgres from changing its type.
    const isStuck = options.isHeld === true && answer === 'change' && TYPE_CHANGES.has(change.kind)
    const place = isStuck ? open : ({ change: make, keep: leave, ask: open } as const)[answer]
    place.push(change)
  }
  return { do: open.length > 0 ? 'ask' : 'go', make, leave, open }
}

const TYPE_CHANGES: ReadonlySet<string> = new Set(['widen', 'narrow', 'convert'])

function byItself({ kind }: SchemaChange, policy: SchemaPolicy): Answer | 'ask' {
  // Without this no row could be written any more.
  if (kind === 'allow_null') return policy === 'ask' ? 'ask' : 'change'
  // A merge needs the key it was told; no policy can do without.
  if (kind === 'change_key') return 'ask'
  if (policy === 'freeze') return 'keep'
  if (policy === 'ask') return 'ask'
  return kind === 'add' || kind === 'widen' ? 'change' : 'ask'
}

const label = (type: ColumnType): string => COLUMN_TYPES[type].label.toLowerCase()

export function changeInWords(change: SchemaChange): string {
  switch (change.kind) {
    case 'add':
      return `The source has a new column ${change.column} (${label(change.type)}).`
    case 'widen':
      return `${change.column} becomes ${label(change.type)}; it was ${change.from}. Every value it has stays as it is.`
    case 'narrow':
      return `${change.column} would become ${label(change.type)}; it is ${change.from}. Values that do not fit would be lost.`
    case 'convert':
      return `${change.column} would become ${label(change.type)}; it is ${change.from}. Values and what reads them would change.`
    case 'allow_null':
      return `The source no longer has ${change.column}; new rows have nothing there.`
    case 'gone':
      return `The source no longer has ${change.column}; what the table holds stays, new rows have nothing there.`
    case 'lost_key':
      return `The source no longer has ${change.column}, which tells rows apart. Choose another primary key.`
    case 'change_key':
      return `Rows would be told apart by ${change.to.join(', ')}; now it is ${change.from.join(', ') || 'nothing'}.`
  }
}

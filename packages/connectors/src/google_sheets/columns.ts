import type { Field, Value } from '@trellis/connector-kit/batch'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { Cell } from './api.ts'
import { toColumnLetters } from './api.ts'

export const ROW_NUMBER = 'row_number'

/** An unnamed column gets its letter, a duplicate name a number. */
export function toColumnNames(header: readonly Cell[], width: number): string[] {
  const taken = new Set([ROW_NUMBER])
  return Array.from({ length: Math.max(header.length, width) }, (_, index) => {
    const wanted = String(header[index] ?? '').trim() || `column_${toColumnLetters(index + 1).toLowerCase()}`
    let name = wanted
    for (let turn = 2; taken.has(name); turn += 1) name = `${wanted}_${turn}`
    taken.add(name)
    return name
  })
}

type Kind = Extract<ColumnType, 'integer' | 'float' | 'boolean' | 'date' | 'timestamp' | 'text'>

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const MOMENT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/

function detectKind(cell: Cell): Kind {
  if (typeof cell === 'boolean') return 'boolean'
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? 'integer' : 'float'
  if (DAY.test(cell)) return 'date'
  return MOMENT.test(cell) ? 'timestamp' : 'text'
}

export function createKindDetector(): {
  observe(row: readonly Cell[]): void
  width(): number
  kindAt(index: number): Kind
} {
  const kinds: (Kind | undefined)[] = []
  const joined = (before: Kind | undefined, now: Kind): Kind => {
    if (before === undefined || before === now) return now
    return [before, now].every((item) => item === 'integer' || item === 'float') ? 'float' : 'text'
  }
  return {
    observe(row) {
      for (const [index, cell] of row.entries()) {
        if (cell !== '') kinds[index] = joined(kinds[index], detectKind(cell))
      }
    },
    width: () => kinds.length,
    kindAt: (index) => kinds[index] ?? 'text',
  }
}

export function toFields(names: readonly string[], kindAt: (index: number) => Kind): Field[] {
  return [
    { name: ROW_NUMBER, type: 'integer', isNullable: false },
    ...names.map((name, index): Field => ({ name, type: kindAt(index), isNullable: true })),
  ]
}

const isCell = (value: unknown): value is Cell => ['string', 'number', 'boolean'].includes(typeof value)

/** Answers are not ours: anything else than a list of values has no columns. */
export const isSheetRow = (row: unknown): row is readonly Cell[] =>
  Array.isArray(row) && row.every((cell) => isCell(cell))

export const isEmptyRow = (row: readonly Cell[]): boolean => row.every((cell) => cell === '')

/** Undefined if a cell does not fit: the sheet was changed between the two passes. */
export function toValues(row: readonly Cell[], number: number, fields: readonly Field[]): Value[] | undefined {
  const values: Value[] = [number]
  for (const [index, { type }] of fields.slice(1).entries()) {
    const cell = row[index] ?? ''
    if (cell === '') values.push(null)
    else if (type === 'text') values.push(String(cell))
    else if (detectKind(cell) === type || (type === 'float' && typeof cell === 'number')) values.push(cell)
    else return undefined
  }
  return row.length >= fields.length && row.slice(fields.length - 1).some((cell) => cell !== '') ? undefined : values
}

import type { Cell, ColumnData } from './columns.ts'

/** Strings are joined: thousands of calls into the engine would take most of a batch's time. */
export type WireColumn =
  | { readonly kind: 'numbers'; readonly buffer: ArrayBuffer }
  | { readonly kind: 'texts'; readonly text: string; readonly gaps: readonly number[] }
  | { readonly kind: 'json'; readonly text: string }

export const SEPARATOR = '\u0001'

export interface SandboxLimits {
  readonly batchMs: number
  readonly totalMs: number
  readonly memoryMb: number
  readonly consoleLines: number
}

export interface OpenMessage {
  readonly code: string
  readonly packages: readonly string[]
  readonly limits: SandboxLimits
}

export type Request =
  | {
      readonly type: 'batch'
      readonly names: readonly string[]
      readonly columns: readonly WireColumn[]
      rowCount: number
    }
  | { readonly type: 'finish' }

export interface Problem {
  readonly fault: 'code' | 'time' | 'memory' | 'output'
  readonly message: string
  readonly line: number | null
  readonly column: number | null
}

/** `rowCount` is untrusted: every column is counted again. */
export type Output =
  | { readonly shape: 'nothing' }
  | { readonly shape: 'rows'; readonly text: string }
  | {
      readonly shape: 'columns'
      readonly names: readonly string[]
      readonly columns: readonly WireColumn[]
      readonly rowCount: number
    }

export type Reply =
  | { readonly type: 'ready'; readonly lines: readonly string[]; readonly hasFinish: boolean }
  | { readonly type: 'done'; readonly output: Output; readonly lines: readonly string[] }
  | { readonly type: 'problem'; readonly problem: Problem; readonly lines: readonly string[] }

export function toWire(column: ColumnData): WireColumn {
  if (column instanceof Float64Array) return { kind: 'numbers', buffer: column.slice().buffer }
  const gaps: number[] = []
  const texts: string[] = []
  for (let at = 0; at < column.length; at += 1) {
    const value = column[at] ?? null
    if (value === null) gaps.push(at)
    else if (typeof value !== 'string' || value.includes(SEPARATOR) || value.includes('\0')) {
      return { kind: 'json', text: JSON.stringify(column) }
    }
    texts.push(value ?? '')
  }
  return { kind: 'texts', text: texts.join(SEPARATOR), gaps }
}

/** Undefined if the count is wrong: the engine's output is untrusted. */
export function fromWire(column: WireColumn, rowCount: number): ColumnData | undefined {
  if (column.kind === 'numbers') {
    return column.buffer.byteLength === rowCount * 8 ? new Float64Array(column.buffer) : undefined
  }
  if (column.kind === 'json') {
    const values: unknown = JSON.parse(column.text)
    return Array.isArray(values) && values.length === rowCount ? values.map(toPlainCell) : undefined
  }
  const texts: (string | null)[] = rowCount === 0 ? [] : column.text.split(SEPARATOR)
  for (const at of column.gaps) texts[at] = null
  return texts.length === rowCount ? texts : undefined
}

export function toPlainCell(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}

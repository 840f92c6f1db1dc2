import type { FrameRows } from '@trellis/contract/sparks/spark-bridge.schemas'
import { parseNumber } from '../../charts/data/aggregates.ts'

export function findMissing({ columns }: FrameRows, names: readonly (string | null)[]): string | undefined {
  return names.find((name) => name !== null && !columns.some((column) => column.name === name)) ?? undefined
}

type ReadCell = (row: readonly (string | null)[]) => string | null

export function readText({ columns }: FrameRows, name: string | null): ReadCell {
  const at = columns.findIndex((column) => column.name === name)
  return (row) => row[at] ?? null
}

export function readNumber(rows: FrameRows, name: string | null): (row: readonly (string | null)[]) => number | null {
  const read = readText(rows, name)
  return (row) => parseNumber(read(row))
}

export function computeChange(value: number | null, before: number | null): number | null {
  return value === null || before === null || before === 0 ? null : (value - before) / Math.abs(before)
}

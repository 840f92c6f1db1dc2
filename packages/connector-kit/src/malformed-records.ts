import type { RejectedRecord } from './batch.ts'

const MAX_RAW = 2000

/** Rejects records that are not objects, since their values belong to no column. `before`: records already read. */
export function splitRecords<T>(
  records: readonly T[],
  before = 0,
): { records: readonly T[]; rejected: readonly RejectedRecord[] } {
  if (records.every(isObject)) return { records, rejected: [] }
  return {
    records: records.filter(isObject),
    rejected: records.flatMap((record, at) =>
      isObject(record)
        ? []
        : rejectRecord(record, {
            line: before + at + 1,
            reason: `The record is ${nameKind(record)}, not an object with fields.`,
          }),
    ),
  }
}

export const rejectRecord = (record: unknown, at: Pick<RejectedRecord, 'line' | 'reason'>): RejectedRecord => ({
  ...at,
  raw: (JSON.stringify(record) ?? '').slice(0, MAX_RAW),
  cells: {},
})

const isObject = (record: unknown): boolean => typeof record === 'object' && record !== null && !Array.isArray(record)

function nameKind(record: unknown): string {
  if (record === null || record === undefined) return 'null'
  return Array.isArray(record) ? 'a list' : typeof record === 'string' ? 'a text' : `a ${typeof record}`
}

import type { RejectedRecord } from './batch.ts'

const MAX_RAW = 2000

/** Separates records that are no objects: none of their values belongs to a column. `before` of them were read already. */
export function splitRecords<T>(
  records: readonly T[],
  before = 0,
): { records: readonly T[]; rejected: readonly RejectedRecord[] } {
  // Nearly always all of them are objects: those are passed on as they are.
  if (records.every(isObject)) return { records, rejected: [] }
  return {
    records: records.filter(isObject),
    rejected: records.flatMap((record, at) =>
      isObject(record)
        ? []
        : [
            {
              line: before + at + 1,
              reason: `The record is ${nameKind(record)}, not an object with fields.`,
              raw: (JSON.stringify(record) ?? '').slice(0, MAX_RAW),
              cells: {},
            },
          ],
    ),
  }
}

const isObject = (record: unknown): boolean => typeof record === 'object' && record !== null && !Array.isArray(record)

function nameKind(record: unknown): string {
  if (record === null || record === undefined) return 'null'
  return Array.isArray(record) ? 'a list' : typeof record === 'string' ? 'a text' : `a ${typeof record}`
}

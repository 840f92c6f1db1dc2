import type { ChangePiece } from '@trellis/connector-kit/change-log'
import { encodeCopy } from '@trellis/connector-kit/copy-text'
import { type NetChange, collapseChanges } from '@trellis/dataflow-engine/changes/collapse-changes'
import type { ChangeChunk } from '@trellis/loads/run/changes/apply-changes'
import type { WrittenColumn } from '@trellis/loads/plan/tables'

export interface LineShape {
  readonly fields: readonly string[]
  readonly key: readonly string[]
  readonly columns: readonly WrittenColumn[]
  /** Soft-delete field; null if rows are deleted. */
  readonly deletedAt: string | null
  readonly keepsTruncated: boolean
}

/** Lines of the staging table: values, then the operation. */
export function toChangeChunk({ changes, position }: ChangePiece, shape: LineShape): ChangeChunk {
  const { fields, key, columns } = shape
  const keyIndexes = key.map((name) => fields.indexOf(name))
  const columnIndexes = columns.map(({ field }) => fields.indexOf(field))
  const deletedAt = shape.deletedAt === null ? null : fields.indexOf(shape.deletedAt)
  // Before collapsing: the result must not depend on how changes are batched.
  const appliedChanges = shape.keepsTruncated ? changes.filter(({ kind }) => kind !== 'truncate') : changes
  const { truncatedAt, rows } = collapseChanges(appliedChanges, { key: keyIndexes, deletedAt })
  const toLine = (row: NetChange): (string | null)[] => {
    if (row.kind === 'delete') {
      const values = columnIndexes.map((index) =>
        index === deletedAt ? row.committedAt : (row.key[keyIndexes.indexOf(index)] ?? null),
      )
      return [...values, row.isMoved ? 'm' : 'd', null, ...key.map(() => null)]
    }
    const { kept, from, values } = row
    const keptMask = kept && columnIndexes.map((index) => (kept.has(index) ? '1' : '0')).join('')
    return [
      ...columnIndexes.map((index) => values[index] ?? null),
      'w',
      keptMask?.includes('1') ? keptMask : null,
      ...key.map((_, keyIndex) => (keptMask?.includes('1') ? (from?.[keyIndex] ?? null) : null)),
    ]
  }
  return {
    parts: rows.length === 0 ? [] : [encodeCopy(rows.map(toLine))],
    counts: rows.length === 0 ? [] : [rows.length],
    rows: rows.length,
    moved: rows.filter((row) => row.kind === 'delete' && row.isMoved).length,
    changes: changes.length,
    truncatedAt,
    hasKept: rows.some((row) => row.kind === 'write' && row.kept !== null),
    hasMoved: rows.some((row) => row.kind === 'write' && row.kept !== null && row.from !== null),
    ...(position !== undefined && { position: { position } }),
  }
}

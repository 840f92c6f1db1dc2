import { createHash } from 'node:crypto'
import type { Subtask } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { WrittenColumn } from '@trellis/loads/plan/tables'
import type { RunRequest, RunWork } from '../../runner/run-work.ts'

/** Deterministic UUID, so that a retry reuses the load. */
export function toDeterministicId(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}

/** Shared by all attempts and retries of a run. */
export const toLoadId = (rootCode: string, subtask: string): string => toDeterministicId('load', rootCode, subtask)

type WriterSource = Pick<RunWork, 'block'> & {
  readonly run: Pick<RunWork['run'], 'rootCode' | 'request' | 'isParallel'>
}

/** Backfills, overrides, dry runs and parallel runs have a cursor of their own. */
export const toWriterName = ({ block, run }: WriterSource, subtask: string): string =>
  `${hasOwnCursor(run.request) || run.isParallel ? run.rootCode : block.code}:${subtask}`

const hasOwnCursor = (request: RunRequest): boolean =>
  request.window !== undefined || request.is_shadow === true || hasOverrides(request)

const hasOverrides = ({ overrides = {} }: RunRequest): boolean => Object.keys(overrides).length > 0

/** What a cursor belongs to. For a new table also its columns: a partial one with others is useless. */
export function computeReadFingerprint(
  { query, is_incremental, write }: Subtask,
  { integrationCode, columns }: { integrationCode: string; columns: readonly WrittenColumn[] },
): string {
  const columnShape =
    write?.strategy === 'Replace' ? columns.map(({ field, name, postgres }) => [field, name, postgres]) : []
  const fingerprintInput = [integrationCode, query, is_incremental, write?.schema_name, write?.table_name, columnShape]
  return createHash('sha256').update(JSON.stringify(fingerprintInput)).digest('hex')
}

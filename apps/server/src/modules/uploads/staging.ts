import type { ByteSource } from '@trellis/table-files/read/byte-source'
import type { CopyFormat } from '@trellis/table-files/read/csv-blocks'
import { ROW_FORMAT } from '@trellis/table-files/read/copy-rows'
import type { OpenTable, RowFault } from '@trellis/table-files/read/dialect'
import { openRows } from '@trellis/table-files/read/open-rows'
import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { RejectedRow } from '@trellis/loads/rejected-rows'
import type { SessionTarget } from '@trellis/workspace-db/session'
import type { OpenDatabase } from '../../platform/workspace-database/open-database.ts'
import type { FileWork } from './job-work.ts'
import type { LoadPlan } from './plan/load-plan.ts'

export interface Staging {
  readonly work: FileWork
  readonly database: OpenDatabase
  readonly plan: LoadPlan
  readonly profile: FileProfile
}

export interface StagedRows {
  readonly stage: string
  readonly isNumbered: boolean
  readonly rows: number
  readonly goodRows: number
  readonly bad: readonly RejectedRow[]
  /** More rejected rows than are listed; nothing is staged. */
  readonly isOver: boolean
  readonly emptied: number
}

export const toSessionTarget = ({ database, work }: Staging): SessionTarget => ({
  database: database.database,
  credentials: database.credentials,
  role: 'rw',
  isPlain: true,
  signal: work.signal,
})

export function getCopyFormat({ plan, profile }: Staging): CopyFormat {
  const { delimiter, quote } = profile.dialect
  return plan.isPassedThrough ? { delimiter, quote, eol: profile.eol } : ROW_FORMAT
}

export async function openTable(source: ByteSource, { dialect, packing, columns }: FileProfile): Promise<OpenTable> {
  return await openRows(source, { dialect, packing, headers: columns.map(({ header }) => header) })
}

export function countLines({ plan, profile }: Staging, cells: readonly (string | null)[]): number {
  const lineFeed = plan.isPassedThrough && profile.eol !== '\n' ? '\r' : '\n'
  let lines = 1
  for (const { source } of plan.columns) {
    const cell = cells[source]
    if (!cell) continue
    for (let offset = cell.indexOf(lineFeed); offset >= 0; offset = cell.indexOf(lineFeed, offset + 1)) lines += 1
  }
  return lines
}

export function toRejectedRow(fault: RowFault, plan: LoadPlan): RejectedRow {
  const column = plan.columns.find(({ source }) => source === fault.column)
  return { ...fault, column: column?.name ?? null }
}

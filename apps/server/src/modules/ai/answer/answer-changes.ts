import type { ChangesRequest } from '@trellis/assistant/engine/changes/changes-question'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { listFailuresSince } from '../../dataflows/dashboard/recent-failures.service.ts'
import { findProjectTables } from '../../ai-projects/projects.service.ts'
import { readChanges } from '../tools/read-changes.ts'
import { type AnswerParts, startStep } from './answer-parts.ts'

const MAX_FAILURES = 50

const toColumn = (name: string) => ({ name, type: 'text', kind: 'text' as const })
const toCount = (name: string) => ({ name, type: 'bigint', kind: 'integer' as const })
const toTime = (name: string) => ({ name, type: 'timestamp with time zone', kind: 'timestamp' as const })

export async function answerChanges(
  ctx: WorkspaceCtx,
  { changes, projectId }: { changes: ChangesRequest; projectId: number },
  parts: AnswerParts,
): Promise<void> {
  const step = startStep(parts, 'read_catalogue', 'Reading the loads of this project’s tables')
  const tables = await findProjectTables(ctx, projectId)
  const loads = await readChanges(ctx, { tables, since: changes.since })
  const failures = await listFailuresSince(ctx, changes.since, MAX_FAILURES)
  step.finish(`${loads.length} tables loaded, ${failures.length} failed runs`)
  parts.add({ kind: 'text', text: describe({ label: changes.label, loads, failures }) })
  if (loads.length > 0) {
    parts.add({
      kind: 'table',
      columns: [
        toColumn('table'),
        toCount('loads'),
        toCount('new_rows'),
        toCount('changed_rows'),
        toCount('removed_rows'),
        toCount('rejected_rows'),
        toTime('last_load'),
        toColumn('source'),
      ],
      rows: loads.map((load) => [
        `${load.schema}.${load.table}`,
        ...[load.loads, load.added, load.changed, load.removed, load.rejected].map(String),
        load.lastLoad,
        load.source,
      ]),
      is_cut: false,
    })
  }
  if (failures.length > 0) {
    parts.add({ kind: 'text', text: 'Runs that failed:' })
    parts.add({
      kind: 'table',
      columns: [toColumn('block'), toTime('failed_at'), toColumn('problem')],
      rows: failures.map(({ name, at, message }) => [name, at.toISOString(), message]),
      is_cut: failures.length === MAX_FAILURES,
    })
  }
}

function describe({
  label,
  loads,
  failures,
}: {
  label: string
  loads: readonly { added: number; changed: number; removed: number }[]
  failures: readonly object[]
}): string {
  const failed = failures.length > 0 ? ` ${count(failures.length, 'run')} failed.` : ''
  if (loads.length === 0) return `No table of this project was loaded ${label}.${failed}`
  const sum = (key: 'added' | 'changed' | 'removed') => loads.reduce((total, load) => total + load[key], 0)
  const rows = `${sum('added').toLocaleString('en')} rows new, ${sum('changed').toLocaleString('en')} changed, ${sum('removed').toLocaleString('en')} removed`
  return `${count(loads.length, 'table')} of this project ${loads.length === 1 ? 'was' : 'were'} loaded ${label}: ${rows}.${failed}`
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

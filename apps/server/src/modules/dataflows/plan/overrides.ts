import type { SourceSettings, Subtask } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Overrides } from '@trellis/contract/runs/versions.schemas'
import { readCursors } from '@trellis/loads/run/read-cursors'
import type * as z from 'zod/mini'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { withTableSession } from '../../explorer/database-tables.service.ts'
import { listBlockConnections } from '../../integrations/connection/block-connections.service.ts'
import { getBlockRow } from '../blocks.service.ts'
import { NO_SUCH_BLOCK } from '../canvas.service.ts'
import { findBlockSlots } from './slots.repository.ts'

/** Element types that a single run may override: ranges, not what is read. */
const OVERRIDABLE_TYPES = new Set(['historic_date_range', 'macro', 'number'])

export async function getOverrides(ctx: WorkspaceCtx, code: string): Promise<z.infer<typeof Overrides>> {
  const block = await getBlockRow(ctx, code)
  if (block.kind !== 'Source') throw new AppError('not_found', NO_SUCH_BLOCK)
  const settings = block.settings as SourceSettings
  const connection = (await listBlockConnections(ctx)).get(settings.integration_trellis_code ?? '')
  const formas = connection?.connector?.source?.queryFormas ?? []
  const elements = formas.flatMap(({ sections }) =>
    sections.flatMap((section) =>
      section.elements
        .filter(({ type }) => OVERRIDABLE_TYPES.has(type))
        .map((element) => ({ section: section.reference, element })),
    ),
  )
  const names = settings.subtasks.map(({ name }) => name)
  const toWriterName = (subtask: string) => `${block.trellis_code}:${subtask}`
  const cursors = await withTableSession(ctx, (session) => readCursors(session, names.map(toWriterName)))
  const slots = await findBlockSlots(ctx, block.trellis_code)
  return {
    elements,
    can_window: !readsWholeFiles(connection?.connector?.tags ?? []) && settings.subtasks.some(supportsWindow),
    cursors: names.map((subtask) => {
      const state = cursors?.get(toWriterName(subtask))
      const gapFreeUpTo = getStateText(state, 'cursor') ?? getStateText(state, 'position')
      const { kept_bytes, dropped_because } = slots.find((slot) => slot.subtask === subtask) ?? {}
      const slot = kept_bytes === undefined ? null : { kept_bytes, dropped_because: dropped_because ?? null }
      return { subtask, value: getStateText(state, 'reached') ?? gapFreeUpTo, is_gap_free_up_to: gapFreeUpTo, slot }
    }),
  }
}

/** Files and sheets cannot be read by time range. */
const readsWholeFiles = (tags: readonly string[]) => tags.includes('files') || tags.includes('spreadsheet')

/** Replace cannot load a range. */
const supportsWindow = ({ is_incremental, write }: Subtask) => is_incremental && write?.strategy !== 'Replace'

/** By convention `cursor`, or `position` for a change log. */
function getStateText(state: unknown, name: 'cursor' | 'reached' | 'position'): string | null {
  const value = state !== null && typeof state === 'object' ? (state as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

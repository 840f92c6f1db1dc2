import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Overrides } from '@trellis/contract/runs/versions.schemas'
import type * as z from 'zod/mini'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { listBlockConnections } from '../../integrations/connection/block-connections.service.ts'
import { getBlockRow } from '../blocks.service.ts'
import { NO_BLOCK } from '../canvas.service.ts'

/** Kinds of elements that may differ for one run: what is read stays, which stretch of it may change. */
const VARIABLE = new Set(['historic_date_range', 'macro', 'number'])

export async function getOverrides(ctx: WorkspaceCtx, code: string): Promise<z.infer<typeof Overrides>> {
  const block = await getBlockRow(ctx, code)
  if (block.kind !== 'Source') throw new AppError('not_found', NO_BLOCK)
  const settings = block.settings as SourceSettings
  const connection = (await listBlockConnections(ctx)).get(settings.integration_trellis_code ?? '')
  const formas = connection?.connector?.source?.queryFormas ?? []
  const elements = formas.flatMap(({ sections }) =>
    sections.flatMap((section) =>
      section.elements
        .filter(({ type }) => VARIABLE.has(type))
        .map((element) => ({ section: section.reference, element })),
    ),
  )
  return {
    elements,
    can_window: settings.subtasks.some(({ is_incremental }) => is_incremental),
    cursors: settings.subtasks.map(({ name }) => ({ subtask: name, value: null, is_gap_free_up_to: null })),
  }
}

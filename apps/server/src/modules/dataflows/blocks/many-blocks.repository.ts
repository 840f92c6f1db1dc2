import { updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { formatSettings } from '../block-settings.ts'

type ByPerson = WorkspaceScope & { readonly actor: { readonly profileId: number } }

export async function markBlocksDeleted(ctx: ByPerson, ids: readonly number[], now: Date): Promise<void> {
  await updateScoped(ctx, 'task_blocks')
    .set({ deleted_at: now, updated_by: ctx.actor.profileId })
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

interface Draft {
  readonly id: number
  readonly settings: Settings
  readonly version: number
}

/** Increments versions. Settings are sent as text, since jsonb would reorder keys. */
export async function updateDrafts(ctx: ByPerson, drafts: readonly Draft[]): Promise<void> {
  if (drafts.length === 0) return
  const draftRows = sql<{ id: number; settings: string; version: number }>`
    unnest(${drafts.map(({ id }) => id)}::bigint[], ${drafts.map(({ settings }) => formatSettings(settings))}::text[],
           ${drafts.map(({ version }) => version)}::int[])`
  await updateScoped(ctx, 'task_blocks')
    .from(draftRows.as<'d'>(sql`d(id, settings, version)`))
    .set({
      settings: sql<string>`d.settings::json` as never,
      version: sql<number>`d.version` as never,
      updated_by: ctx.actor.profileId,
      updated_at: new Date(),
    })
    .whereRef('task_blocks.id', '=', 'd.id' as never)
    .execute()
}

import { deleteScoped, insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { formatSettings } from './block-settings.ts'
import { buildPersonName, buildVersionNumber } from './blocks.repository.ts'

export interface VersionRow {
  readonly version: number
  readonly number: number
  readonly settings: Settings
  readonly message: string
  readonly published_at: Date
  readonly published_by: string | null
}

const MAX_LISTED = 200

/** Versions include settings: fewer are listed if they are large, but at least the newest. */
const MAX_LISTED_BYTES = 8 * 1024 * 1024

export async function findVersions(ctx: WorkspaceScope, blockId: number): Promise<VersionRow[]> {
  const sizes = await scoped(ctx, 'task_block_versions')
    .select(['version', sql<number>`octet_length(settings::text)`.as('bytes')])
    .where('block_id', '=', blockId)
    .orderBy('version', 'desc')
    .limit(MAX_LISTED)
    .execute()
  let bytes = 0
  const fittingCount = sizes.filter((other) => (bytes += other.bytes) <= MAX_LISTED_BYTES).length
  const rows = await selectVersions(ctx, blockId).orderBy('version', 'desc').limit(Math.max(1, fittingCount)).execute()
  return rows as VersionRow[]
}

export async function findVersion(
  ctx: WorkspaceScope,
  blockId: number,
  version: number,
): Promise<VersionRow | undefined> {
  return (await selectVersions(ctx, blockId).where('version', '=', version).executeTakeFirst()) as
    | VersionRow
    | undefined
}

const selectVersions = (ctx: WorkspaceScope, blockId: number) =>
  scoped(ctx, 'task_block_versions')
    .leftJoin('profiles', 'profiles.id', 'task_block_versions.published_by')
    .select(['version', 'settings', 'message', 'published_at'])
    .select(buildPersonName('profiles').as('published_by'))
    .select(buildVersionNumber('task_block_versions.block_id', 'task_block_versions.version').as('number'))
    .where('block_id', '=', blockId)

export async function insertVersion(
  ctx: WorkspaceScope & { actor: { profileId: number } },
  version: { block_id: number; version: number; settings: Settings; message: string; published_at: Date },
): Promise<void> {
  await insertScoped(ctx, 'task_block_versions', {
    ...version,
    settings: formatSettings(version.settings),
    published_by: ctx.actor.profileId,
  }).execute()
}

/** Edits the published version in place, to remove references to deleted objects. */
export async function overwritePublishedSettings(
  ctx: WorkspaceScope,
  liveSettings: readonly LiveSettings[],
): Promise<void> {
  if (liveSettings.length === 0) return
  const settingsRows = sql<{ block_id: number; version: number; settings: string }>`
    unnest(${liveSettings.map((settings) => settings.block_id)}::bigint[], ${liveSettings.map((settings) => settings.version)}::int[],
           ${liveSettings.map((settings) => formatSettings(settings.settings))}::text[])`
  await updateScoped(ctx, 'task_block_versions')
    .from(settingsRows.as<'m'>(sql`m(block_id, version, settings)`))
    .set({ settings: sql<string>`m.settings::json` as never })
    .whereRef('task_block_versions.block_id', '=', 'm.block_id' as never)
    .whereRef('task_block_versions.version', '=', 'm.version' as never)
    .execute()
}

export interface LiveSettings {
  readonly block_id: number
  readonly version: number
  readonly settings: Settings
}

export async function findLiveSettings(ctx: WorkspaceScope, blockIds: readonly number[]): Promise<LiveSettings[]> {
  const rows = await scoped(ctx, 'task_block_versions')
    .innerJoin('task_blocks', (join) =>
      join
        .onRef('task_blocks.id', '=', 'task_block_versions.block_id')
        .onRef('task_blocks.live_version', '=', 'task_block_versions.version'),
    )
    .select(['task_block_versions.block_id', 'task_block_versions.version', 'task_block_versions.settings'])
    .where('task_block_versions.block_id', '=', sql<number>`any(${blockIds}::bigint[])`)
    .execute()
  return rows as unknown as LiveSettings[]
}

export async function replaceWaits(ctx: WorkspaceScope, blockId: number, upstream: readonly number[]): Promise<void> {
  await deleteScoped(ctx, 'live_waits').where('block_id', '=', blockId).execute()
  for (const upstream_id of upstream) {
    await insertScoped(ctx, 'live_waits', { block_id: blockId, upstream_id }).execute()
  }
}

export async function deleteWaits(ctx: WorkspaceScope, blockIds: readonly number[]): Promise<void> {
  await deleteScoped(ctx, 'live_waits')
    .where(sql<boolean>`block_id = any(${blockIds}::bigint[]) or upstream_id = any(${blockIds}::bigint[])`)
    .execute()
}

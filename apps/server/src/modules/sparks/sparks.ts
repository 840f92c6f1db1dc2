import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import * as schemas from '@trellis/contract/sparks/sparks.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { lockLimit } from '../../platform/limit-lock.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { getProjectIdentity } from '../ai-projects/projects.service.ts'
import { checkSpark } from './checks/check-spark.ts'
import { listTablesOfSources } from './content/plan-sources.ts'
import { validateContent } from './content/validate-content.ts'
import { buildContent } from './origins/build-content.ts'
import {
  type SparkRow,
  countSparks,
  deleteSparkRow,
  findSparks,
  insertSpark,
  lockSpark,
  updateSparkRow,
} from './sparks.repository.ts'
import { type UsedTable, findSources } from './versions.repository.ts'
import { addVersion, getSparkRow, getVersionRow } from './versions.ts'

const toSpark = (row: SparkRow): schemas.Spark => ({
  spark_trellis_code: row.trellis_code,
  project_trellis_code: row.project_code,
  project_name: row.project_name,
  name: row.name,
  description: row.description,
  shown_version: {
    spark_version_trellis_code: row.shown_code,
    number: row.shown_number,
    note: row.shown_note,
    created_by: row.shown_by,
    created_at: row.shown_at.toISOString(),
  },
  latest_version: {
    spark_version_trellis_code: row.latest_code,
    number: row.latest_number,
    note: row.latest_note,
    created_by: row.latest_by,
    created_at: row.latest_at.toISOString(),
  },
  pinned_version_trellis_code: row.pinned_code,
  is_on_dashboard: row.is_on_dashboard,
  stale_since: row.stale_since?.toISOString() ?? null,
  problems: row.problems,
  open_comments: row.open_comments,
  created_by: row.created_by_name,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export async function listSparks(ctx: WorkspaceCtx, projectCode?: string): Promise<{ sparks: schemas.Spark[] }> {
  const project = projectCode === undefined ? undefined : await getProjectIdentity(ctx, projectCode)
  return { sparks: (await findSparks(ctx, project?.id)).map((row) => toSpark(row)) }
}

export async function getSpark(ctx: WorkspaceCtx, code: string): Promise<schemas.Spark> {
  return toSpark(await getSparkRow(ctx, code))
}

export async function createSpark(
  ctx: WorkspaceCtx,
  { project_trellis_code, name, description, origin }: schemas.CreateSparkRequest,
): Promise<schemas.Spark> {
  const project = await getProjectIdentity(ctx, project_trellis_code)
  await assertRoom(ctx)
  const trellis_code = generateTrellisCode()
  const { content, settle } = await buildContent(ctx, project, origin)
  validateContent(content)
  const tables = await listTablesOfSources(ctx, project.id, content)
  await transaction(ctx, async (ctx) => {
    await lockLimit(ctx, 'sparks', ctx.workspace.id)
    await assertRoom(ctx)
    const made = { trellis_code, project_id: project.id, name, description }
    const sparkId = await insertSpark(ctx, { ...made, created_by: ctx.actor.profileId, now: ctx.clock.now() })
    await addVersion(ctx, { sparkId, number: 1 }, { content, note: '', tables })
    await settle?.(ctx, trellis_code)
  })
  ctx.http.addAuditDetail({ spark: name, origin: origin.kind })
  return await getSpark(ctx, trellis_code)
}

export async function previewSpark(
  ctx: WorkspaceCtx,
  { project_trellis_code, template, values }: schemas.PreviewSparkRequest,
): Promise<schemas.SparkPreview> {
  const project = await getProjectIdentity(ctx, project_trellis_code)
  const { content } = await buildContent(ctx, project, { kind: 'template', template, values })
  validateContent(content)
  return { content }
}

async function assertRoom(ctx: WorkspaceCtx): Promise<void> {
  if ((await countSparks(ctx)) < schemas.MAX_SPARKS) return
  throw new AppError(
    'limit_reached',
    `A workspace can have ${schemas.MAX_SPARKS} sparks. Delete one that is not needed.`,
  )
}

interface NewContent {
  readonly content: SparkContent
  readonly note: string
  readonly tables: ReadonlyMap<string, readonly UsedTable[]>
}

export async function updateSpark(
  ctx: WorkspaceCtx,
  code: string,
  change: schemas.UpdateSparkRequest,
): Promise<schemas.Spark> {
  const before = await getSparkRow(ctx, code)
  const added = await readNewContent(ctx, before, change)
  await transaction(ctx, async (ctx) => {
    await lockSpark(ctx, code)
    const row = await getSparkRow(ctx, code)
    if (added) {
      const base = change.base_version_trellis_code
      if (base !== undefined && base !== row.latest_code) {
        throw new AppError('conflict', 'Somebody saved a newer version of this spark meanwhile.')
      }
      await addVersion(ctx, { sparkId: row.id, number: row.latest_number + 1 }, added)
    }
    await updateSparkRow(ctx, row.id, { ...(await toRowChange(ctx, row, change)), updated_at: ctx.clock.now() })
  })
  const after = await getSparkRow(ctx, code)
  if (after.shown_id !== before.shown_id) await checkSpark(ctx, after)
  ctx.http.addAuditDetail({ spark: after.name, ...(added && { version: String(after.latest_number) }) })
  return await getSpark(ctx, code)
}

/** A restored version is not validated: broken sources make the spark stale. */
async function readNewContent(
  ctx: WorkspaceCtx,
  spark: SparkRow,
  { content, restore_version_trellis_code: restored, note = '' }: schemas.UpdateSparkRequest,
): Promise<NewContent | undefined> {
  if (restored !== undefined) {
    if (content) throw new AppError('invalid_request', 'Send new content or a version to restore, not both.')
    const version = await getVersionRow(ctx, spark, restored)
    const sources = await findSources(ctx, version.id)
    const tables = new Map(sources.map((source) => [source.key, source.tables]))
    return { content: version.content, tables, note: note || `Restored version ${version.number}` }
  }
  if (!content) return undefined
  validateContent(content)
  return { content, note, tables: await listTablesOfSources(ctx, spark.project_id, content) }
}

async function toRowChange(ctx: WorkspaceCtx, row: SparkRow, change: schemas.UpdateSparkRequest) {
  const { name, description, is_on_dashboard, pinned_version_trellis_code: pinned } = change
  if (is_on_dashboard && !row.is_on_dashboard) await assertTileRoom(ctx)
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(is_on_dashboard !== undefined && { is_on_dashboard }),
    ...(pinned !== undefined && {
      pinned_version_id: pinned === null ? null : (await getVersionRow(ctx, row, pinned)).id,
    }),
  }
}

async function assertTileRoom(ctx: WorkspaceCtx): Promise<void> {
  await lockLimit(ctx, 'sparks', ctx.workspace.id)
  if ((await countSparks(ctx, { isOnDashboard: true })) < schemas.MAX_DASHBOARD_SPARKS) return
  throw new AppError(
    'limit_reached',
    `The dashboard has room for ${schemas.MAX_DASHBOARD_SPARKS} sparks. Remove another one first.`,
  )
}

export async function deleteSpark(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  const row = await getSparkRow(ctx, code)
  await deleteSparkRow(ctx, row.id)
  ctx.http.addAuditDetail({ spark: row.name })
  return { done: true }
}

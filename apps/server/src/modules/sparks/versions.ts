import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import * as schemas from '@trellis/contract/sparks/sparks.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode, toReadableText } from '../../platform/trellis-code.ts'
import { toQueryHash } from './content/bind-source.ts'
import { type SparkRow, findSpark, updateSparkRow } from './sparks.repository.ts'
import {
  type UsedTable,
  type VersionRow,
  deleteOldVersions,
  findSources,
  findVersion,
  findVersions,
  insertSource,
  insertVersion,
} from './versions.repository.ts'

const BASED_KEY_LENGTH = 32

export async function getSparkRow(ctx: WorkspaceCtx, code: string): Promise<SparkRow> {
  const row = await findSpark(ctx, code)
  if (!row) throw new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
  return row
}

export async function getVersionRow(ctx: WorkspaceCtx, spark: SparkRow, code: string) {
  const row = await findVersion(ctx, spark.id, code)
  if (!row) throw new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
  return row
}

const toVersion = ({ id: _, trellis_code, created_by_name, created_at, ...row }: VersionRow): schemas.SparkVersion => ({
  spark_version_trellis_code: trellis_code,
  number: row.number,
  note: row.note,
  created_by: created_by_name,
  created_at: created_at.toISOString(),
})

export async function listSparkVersions(
  ctx: WorkspaceCtx,
  code: string,
): Promise<{ versions: schemas.SparkVersion[] }> {
  const spark = await getSparkRow(ctx, code)
  return { versions: (await findVersions(ctx, spark.id)).map((row) => toVersion(row)) }
}

/** The latest version without `versionCode`. `based_keys`: for each source, the key in the URL that serves its rows. */
export async function getSparkVersion(
  ctx: WorkspaceCtx,
  code: string,
  versionCode?: string,
): Promise<schemas.SparkVersionDetail> {
  const spark = await getSparkRow(ctx, code)
  const { content, ...row } = await getVersionRow(ctx, spark, versionCode ?? spark.latest_code)
  const sources = await findSources(ctx, row.id)
  return {
    ...toVersion(row),
    spark_trellis_code: code,
    content,
    based_keys: Object.fromEntries(sources.map(({ key, based_key }) => [key, based_key])),
  }
}

/** In a transaction holding the spark's lock. */
export async function addVersion(
  ctx: WorkspaceCtx,
  { sparkId, number }: { sparkId: number; number: number },
  made: { content: SparkContent; note: string; tables: ReadonlyMap<string, readonly UsedTable[]> },
): Promise<void> {
  const { content, note, tables } = made
  const id = await insertVersion(ctx, {
    spark_id: sparkId,
    trellis_code: generateTrellisCode(),
    number,
    note,
    content,
    created_by: ctx.actor.profileId,
    created_at: ctx.clock.now(),
  })
  for (const source of content.sources) {
    await insertSource(ctx, id, {
      based_key: toReadableText(BASED_KEY_LENGTH),
      key: source.key,
      integration_code: source.integration_trellis_code,
      query_hash: toQueryHash(source, content.parameters),
      tables: tables.get(source.key) ?? [],
    })
  }
  await updateSparkRow(ctx, sparkId, { latest_version_id: id, updated_at: ctx.clock.now() })
  await deleteOldVersions(ctx, sparkId, schemas.MAX_SPARK_VERSIONS)
}

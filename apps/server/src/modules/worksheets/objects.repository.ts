import { type AccountScope, scoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { GitObject, StoredObject } from '../../platform/git/objects.ts'
import { addObjectBytes } from './projects.repository.ts'

const BATCH_BYTES = 4 * 1024 * 1024
const BATCH_OBJECTS = 1000

/** Content-addressed, so existing objects are skipped. Returns the project's new size. */
export async function insertObjects(
  ctx: AccountScope,
  projectId: number,
  objects: readonly StoredObject[],
): Promise<number> {
  let bytes = 0
  for (const batch of toBatches(objects)) {
    const { rows } = await sql<{ bytes: number }>`
      insert into worksheet_objects (project_id, account_id, id, kind, body)
      select ${projectId}, ${ctx.account.id}, id, kind, body
        from unnest(${batch.map(({ id }) => id)}::text[], ${batch.map(({ kind }) => kind)}::text[],
                    ${batch.map(({ body }) => body)}::bytea[]) as given(id, kind, body)
      on conflict do nothing returning octet_length(body) as bytes`.execute(ctx.db)
    bytes += rows.reduce((sum, row) => sum + row.bytes, 0)
  }
  return await addObjectBytes(ctx, projectId, bytes)
}

function* toBatches(objects: readonly StoredObject[]): Generator<StoredObject[]> {
  let batch: StoredObject[] = []
  let bytes = 0
  for (const object of new Map(objects.map((object) => [object.id, object])).values()) {
    if (batch.length > 0 && (batch.length >= BATCH_OBJECTS || bytes + object.body.length > BATCH_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(object)
    bytes += object.body.length
  }
  if (batch.length > 0) yield batch
}

export async function findObjects(
  ctx: AccountScope,
  projectId: number,
  ids: readonly string[],
): Promise<Map<string, GitObject>> {
  if (ids.length === 0) return new Map()
  const rows = await scoped(ctx, 'worksheet_objects')
    .select(['id', 'kind', 'body'])
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute()
  return new Map(rows.map(({ id, kind, body }) => [id, { kind, body }]))
}

export async function findTexts(
  ctx: AccountScope,
  projectId: number,
  blobs: readonly string[],
): Promise<Map<string, string>> {
  const objects = await findObjects(ctx, projectId, [...new Set(blobs)])
  return new Map([...objects].map(([id, { body }]) => [id, body.toString('utf8')]))
}

export async function findCommitGraph(ctx: AccountScope, projectId: number): Promise<Map<string, GitObject>> {
  const rows = await scoped(ctx, 'worksheet_objects')
    .select(['id', 'kind', 'body'])
    .where('project_id', '=', projectId)
    .where('kind', 'in', ['commit', 'tree'])
    .execute()
  return new Map(rows.map(({ id, kind, body }) => [id, { kind, body }]))
}

export async function findMatchingBlobs(
  ctx: AccountScope,
  projectId: number,
  { blobs, wanted }: { blobs: readonly string[]; wanted: string },
): Promise<Map<string, string>> {
  const rows = await scoped(ctx, 'worksheet_objects')
    .select(['id', 'body'])
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id = any(${blobs}::text[])`)
    .where(sql<boolean>`position(${wanted} in lower(convert_from(body, 'UTF8'))) > 0`)
    .limit(200)
    .execute()
  return new Map(rows.map(({ id, body }) => [id, body.toString('utf8')]))
}

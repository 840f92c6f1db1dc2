import type { AccountScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface ChangedFile {
  readonly projectId: number
  readonly branchId: number
  readonly fileId: string
  readonly blob: string | null
}

export interface ChangedText {
  readonly before: string
  readonly after: string
}

interface TextRow {
  readonly at: number
  readonly is_deleted: boolean
  readonly content: string | null
  readonly body: Buffer | null
}

/** One statement for all branches. Large texts are omitted. */
export async function findChangedTexts(
  ctx: AccountScope,
  files: readonly ChangedFile[],
  maxBytes: number,
): Promise<Map<number, ChangedText>> {
  if (files.length === 0) return new Map()
  const { rows } = await sql<TextRow>`
    select (given.at - 1)::int as at, d.path is null as is_deleted, d.content, o.body
      from unnest(${files.map(({ projectId }) => projectId)}::bigint[], ${files.map(({ branchId }) => branchId)}::bigint[],
                  ${files.map(({ fileId }) => fileId)}::text[], ${files.map(({ blob }) => blob)}::text[])
             with ordinality as given(project_id, branch_id, file_id, blob, at)
      join worksheet_drafts d on d.account_id = ${ctx.account.id} and d.branch_id = given.branch_id
                             and d.file_id = given.file_id and d.size_bytes <= ${maxBytes}
      left join worksheet_objects o on o.account_id = ${ctx.account.id} and o.project_id = given.project_id
                                   and o.id = given.blob
     where given.blob is null or octet_length(o.body) <= ${maxBytes}`.execute(ctx.db)
  return new Map(
    rows.map(({ at, is_deleted, content, body }) => {
      const before = body?.toString('utf8') ?? ''
      return [at, { before, after: is_deleted ? '' : (content ?? before) }]
    }),
  )
}

import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { hashText } from '../../../platform/git/objects.ts'
import { findBranch, findDrafts } from '../drafts.repository.ts'
import { findTree } from '../live.repository.ts'
import { findTexts } from '../objects.repository.ts'
import { type ProjectRow, findProjects } from '../projects.repository.ts'
import { toPlace } from '../show-branch.ts'
import { type SqlUses, type UsedTable, mayName } from './sql-uses.ts'
import { cacheUses, findCachedUses } from './sql-uses-cache.ts'

export interface WorksheetUser {
  readonly projectId: string
  readonly projectName: string
  readonly folderId: string
  readonly fileId: string
  readonly path: string
  readonly isDraft: boolean
  readonly reads: readonly UsedTable[]
  readonly writes: readonly UsedTable[]
}

interface NamedText {
  readonly fileId: string
  readonly path: string
  readonly hash: string
  readonly isDraft: boolean
}

const MAX_TEXTS = 500

export async function findWorksheetUsers(
  ctx: WorkspaceCtx,
  tables: readonly UsedTable[],
  schema?: string,
): Promise<WorksheetUser[]> {
  if (tables.length === 0 && schema === undefined) return []
  const users: WorksheetUser[] = []
  for (const project of await findProjects(ctx)) {
    for (const { fileId, path, hash, isDraft } of await readTexts(ctx, project)) {
      const uses = findCachedUses(hash)
      if (!uses) continue
      const used = findUsed(uses, tables, schema)
      if (used.reads.length === 0 && used.writes.length === 0) continue
      const { folder_id: folderId } = toPlace(project, path)
      const place = { projectId: project.trellis_code, projectName: project.name, folderId, fileId, path }
      users.push({ ...place, isDraft, ...used })
    }
  }
  return users
}

async function readTexts(ctx: WorkspaceCtx, project: ProjectRow): Promise<NamedText[]> {
  const live = await findTree(ctx, project)
  const namedTexts: NamedText[] = [...live].map(([fileId, { path, blob }]) => ({
    fileId,
    path,
    hash: blob,
    isDraft: false,
  }))
  const missing = namedTexts.filter(({ path, hash }) => isSql(path) && !findCachedUses(hash)).map(({ hash }) => hash)
  for (let at = 0; at < missing.length; at += MAX_TEXTS) {
    const texts = await findTexts(ctx, project.id, missing.slice(at, at + MAX_TEXTS))
    await cacheUses([...texts].map(([hash, text]) => ({ hash, text })))
  }
  const branch = await findBranch(ctx, { projectId: project.id, profileId: ctx.actor.profileId })
  for (const [fileId, { path, content }] of branch ? await findDrafts(ctx, branch.id) : []) {
    if (path === null || content === null) continue
    const hash = hashText(content)
    if (hash === live.get(fileId)?.blob) continue
    if (isSql(path)) await cacheUses([{ hash, text: content }])
    namedTexts.push({ fileId, path, hash, isDraft: true })
  }
  return namedTexts.filter(({ path }) => isSql(path))
}

const isSql = (path: string) => /\.sql$/i.test(path)

function findUsed({ reads, writes, words }: SqlUses, tables: readonly UsedTable[], schema: string | undefined) {
  const wanted = new Set(tables.map(toKey))
  const among = (usedTables: readonly UsedTable[]) =>
    removeDuplicateTables(usedTables.filter((table) => wanted.has(toKey(table)) || table.schema === schema))
  const uncertain = words === null ? [] : tables.filter((table) => mayName(words, table))
  return { reads: removeDuplicateTables([...among(reads), ...uncertain]), writes: among(writes) }
}

const toKey = ({ schema, name }: UsedTable) => JSON.stringify([schema, name])
const removeDuplicateTables = (tables: readonly UsedTable[]) => [
  ...new Map(tables.map((table) => [toKey(table), table])).values(),
]

import type { AnyDb, TenantDb } from '@trellis/control-db/database'
import { transaction } from '@trellis/control-db/database'
import { toStored } from '../../platform/git/objects.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import type { PublishedFile } from './merge/trees.ts'
import { type ProjectRow, insertProject } from './projects.repository.ts'
import { type Author, PLATFORM_AUTHOR, publishTree, storeObjects } from './publish.ts'

interface RepositoryScope {
  readonly db: AnyDb
  readonly clock: Clock
  readonly account: { readonly id: number }
  readonly workspace: { readonly id: number }
}

export interface NewRepository {
  readonly name: string
  readonly description: string
  readonly author: Author
  readonly files: Readonly<Record<string, string>>
}

export async function createRepository(
  scope: RepositoryScope,
  { name, description, author, files }: NewRepository,
): Promise<ProjectRow | undefined> {
  return await transaction(scope, async (open) => {
    const ctx = { ...open, db: open.db as TenantDb }
    const code = generateTrellisCode()
    const project = await insertProject(ctx, { trellis_code: code, name, description, created_by: author.id })
    if (!project) return undefined
    const tree = new Map<string, PublishedFile>()
    const blobs = Object.entries(files).map(([path, text]) => {
      const blob = toStored('blob', Buffer.from(text, 'utf8'))
      tree.set(generateTrellisCode(), { path, blob: blob.id })
      return blob
    })
    await storeObjects(ctx, project.id, blobs)
    const commit = { parents: [], message: 'Create project', author, at: ctx.clock.now() }
    return await publishTree(ctx, project, { ...commit, before: new Map(), tree })
  })
}

export async function createFirstProject(
  scope: Omit<RepositoryScope, 'workspace'>,
  { workspaceId, createdBy }: { workspaceId: number; createdBy: number },
): Promise<void> {
  await createRepository(
    { ...scope, workspace: { id: workspaceId } },
    { name: 'Worksheets', description: '', author: { ...PLATFORM_AUTHOR, id: createdBy }, files: {} },
  )
}

export const DEMO_PROJECT = 'Shop examples'

export async function createDemoProject(
  ctx: SystemCtx,
  demo: { accountId: number; workspaceId: number; createdBy: number; files: NewRepository['files'] },
): Promise<void> {
  await createRepository(
    { ...ctx, account: { id: demo.accountId }, workspace: { id: demo.workspaceId } },
    {
      name: DEMO_PROJECT,
      description: 'Questions a shop asks its data, to read, change and run.',
      author: { ...PLATFORM_AUTHOR, id: demo.createdBy },
      files: demo.files,
    },
  )
}

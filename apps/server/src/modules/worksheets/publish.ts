import type { AccountScope, WorkspaceScope } from '@trellis/control-db/scoped'
import { AppError } from '../../platform/app-error.ts'
import { type StoredObject, buildTrees, formatCommit, toStored } from '../../platform/git/objects.ts'
import { appendCommit } from './live.repository.ts'
import { type Tree, diffTrees } from './merge/trees.ts'
import { insertObjects } from './objects.repository.ts'
import type { ProjectRow } from './projects.repository.ts'

const MAX_PROJECT_BYTES = 200 * 1024 * 1024

export interface Author {
  readonly id: number | null
  readonly name: string
  readonly email: string
}

export const PLATFORM_AUTHOR: Author = { id: null, name: 'Trellis', email: 'trellis@localhost' }

export async function storeObjects(
  ctx: AccountScope,
  projectId: number,
  objects: readonly StoredObject[],
): Promise<void> {
  if ((await insertObjects(ctx, projectId, objects)) <= MAX_PROJECT_BYTES) return
  throw new AppError('limit_reached', 'A project may have 200 MB with its whole history. Start a new project.')
}

export interface CommitInput {
  readonly tree: Tree
  readonly parents: readonly string[]
  readonly message: string
  readonly author: Author
  readonly at: Date
}

/** Blobs must be stored already. */
export async function writeCommit(ctx: AccountScope, projectId: number, input: CommitInput): Promise<string> {
  const { root, trees } = buildTrees(new Map([...input.tree.values()].map(({ path, blob }) => [path, blob])))
  const { name, email } = input.author
  const body = formatCommit({ ...input, tree: root, author: { name, email, at: input.at } })
  const commit = toStored('commit', body)
  await storeObjects(ctx, projectId, [...trees, commit])
  return commit.id
}

/** The project must be locked. */
export async function publishTree(
  ctx: WorkspaceScope,
  project: ProjectRow,
  { before, ...input }: CommitInput & { before: Tree },
): Promise<ProjectRow> {
  const commitId = await writeCommit(ctx, project.id, input)
  return await appendCommit(ctx, project, {
    commitId,
    message: input.message,
    authorId: input.author.id,
    authorName: input.author.name,
    at: input.at,
    changes: diffTrees(before, input.tree),
  })
}

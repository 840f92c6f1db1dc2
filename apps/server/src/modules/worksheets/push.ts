import type { Push } from '@trellis/contract/worksheets/worksheets.schemas'
import { transaction } from '@trellis/control-db/database'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { toStored } from '../../platform/git/objects.ts'
import { assertFileLimit, changeBranch, projectNotFoundError, readBranch } from './branch-state.ts'
import { shareCharts } from './charts/charts.repository.ts'
import { findConflicts } from './conflicts.repository.ts'
import { type BranchRow, deleteDrafts, findDrafts, updateBranch } from './drafts.repository.ts'
import { findCommit, getCommitAt } from './live.repository.ts'
import { createPathIndex } from './merge/paths.ts'
import type { Drafts, PublishedFile, Tree } from './merge/trees.ts'
import { lockProject } from './projects.repository.ts'
import { type Author, publishTree, storeObjects } from './publish.ts'
import { updateBlocks } from './scheduled/block-updates.ts'
import { showBranch, toCommit } from './show-branch.ts'

export const toAuthor = ({ actor }: Pick<WorkspaceCtx, 'actor'>): Author => ({
  id: actor.profileId,
  name: `${actor.firstName} ${actor.surname}`.trim() || actor.email,
  email: actor.email,
})

/** Refused if someone published since the last pull, whose change would be lost. */
export async function pushToLiveBranch(ctx: WorkspaceCtx, body: z.output<typeof Push>) {
  const pushed = await transaction(ctx, async (ctx) => {
    // Fixed lock order, project before branch, avoids a deadlock with git pushes.
    const locked = await lockProject(ctx, body.project_id)
    if (!locked) throw projectNotFoundError()
    return await changeBranch(ctx, body.project_id, async (ctx, { project, branch, base }) => {
      if (branch.base_seq !== project.live_seq) {
        throw new AppError('conflict', 'Somebody published since your last pull. Pull first, then push again.')
      }
      const all = await findDrafts(ctx, branch.id)
      const chosen = new Map(
        [...all].filter(([fileId]) => body.file_ids === undefined || body.file_ids.includes(fileId)),
      )
      if (chosen.size === 0) throw new AppError('conflict', 'There is nothing to publish.')
      const conflicts = await findConflicts(ctx, branch.id)
      if ([...chosen.keys()].some((fileId) => conflicts.has(fileId)) || (!body.file_ids && conflicts.size > 0)) {
        throw new AppError('conflict', 'There are conflicts from the last pull. Resolve them first.')
      }
      const { tree, blobs } = applyDrafts(base, chosen)
      assertFileLimit(tree.size)
      assertPathsFree(tree)
      await storeObjects(ctx, project.id, blobs)
      const head = await getCommitAt(ctx, project.id, project.live_seq)
      const own = chosen.size === all.size ? await findOwnCommit(ctx, branch) : undefined
      const parents = [head.commit_id, ...(own === undefined ? [] : [own])]
      const { message } = body
      const at = ctx.clock.now()
      const after = await publishTree(ctx, project, { before: base, tree, parents, message, author: toAuthor(ctx), at })
      await deleteDrafts(ctx, branch.id, [...chosen.keys()])
      await shareCharts(ctx, { projectId: project.id, fileIds: [...chosen.keys()] })
      const createdCommitRow = await getCommitAt(ctx, project.id, after.live_seq)
      const isWhole = chosen.size === all.size
      await updateBranch(ctx, branch.id, {
        base_seq: after.live_seq,
        ...(isWhole && { head: createdCommitRow.commit_id, head_seq: after.live_seq }),
      })
      ctx.http.addAuditDetail({
        what: `published ${chosen.size} files of project ${project.name}`,
        commit: createdCommitRow.commit_id,
      })
      return { commit: toCommit(createdCommitRow), blocks: await updateBlocks(ctx, after, base) }
    })
  })
  return { ...pushed, branch: await showBranch(ctx, await readBranch(ctx, body.project_id)) }
}

async function findOwnCommit(ctx: WorkspaceCtx, branch: BranchRow): Promise<string | undefined> {
  if (branch.head === null) return undefined
  return (await findCommit(ctx, branch.project_id, branch.head)) ? undefined : branch.head
}

export function applyDrafts(base: Tree, drafts: Drafts) {
  const tree = new Map<string, PublishedFile>(base)
  const blobs = []
  for (const [fileId, { path, content }] of drafts) {
    if (path === null) tree.delete(fileId)
    else {
      const blob = content === null ? undefined : toStored('blob', Buffer.from(content, 'utf8'))
      if (blob) blobs.push(blob)
      tree.set(fileId, { path, blob: blob?.id ?? base.get(fileId)?.blob ?? '' })
    }
  }
  return { tree, blobs }
}

/** Publishing a subset could leave two files at one path. */
function assertPathsFree(tree: Tree): void {
  const index = createPathIndex()
  for (const { path } of [...tree.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1))) {
    if (index.findCollision(path) !== undefined) {
      throw new AppError(
        'conflict',
        `Two files would be at ${path}. Publish the change that makes room for it as well.`,
      )
    }
    index.add(path)
  }
}

import { transaction } from '@trellis/control-db/database'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { buildTrees, parseCommit } from '../../../platform/git/objects.ts'
import { type LockedBranch, changeBranch, projectNotFoundError, readBranch } from '../branch-state.ts'
import { findConflicts } from '../conflicts.repository.ts'
import { findDrafts, updateBranch } from '../drafts.repository.ts'
import { findCommit, getCommitAt } from '../live.repository.ts'
import { findObjects } from '../objects.repository.ts'
import { lockProject } from '../projects.repository.ts'
import { storeObjects, writeCommit } from '../publish.ts'
import { applyDrafts, toAuthor } from '../push.ts'

const MESSAGE = 'Unpublished changes'

/** Commits drafts, so that git sees what the browser shows. Unchanged while conflicts are open. */
export async function commitDrafts(ctx: WorkspaceCtx, code: string): Promise<void> {
  const { branch, drafts } = await readBranch(ctx, code)
  if (!branch || (drafts.size === 0 && branch.head_seq === branch.base_seq && branch.head !== null)) {
    // If all changes were undone, a commit is still needed to say so.
    if (!branch || (await findCommit(ctx, branch.project_id, branch.head ?? ''))) return
  }
  await transaction(ctx, async (ctx) => {
    if (!(await lockProject(ctx, code))) throw projectNotFoundError()
    await changeBranch(ctx, code, commitLocked)
  })
}

export async function commitLocked(ctx: WorkspaceCtx, { project, branch, base }: LockedBranch): Promise<void> {
  if ((await findConflicts(ctx, branch.id)).size > 0) return
  const drafts = await findDrafts(ctx, branch.id)
  const live = (await getCommitAt(ctx, project.id, branch.base_seq)).commit_id
  const own = branch.head !== null && !(await findCommit(ctx, project.id, branch.head)) ? branch.head : undefined
  if (own === undefined && drafts.size === 0) {
    return await updateBranch(ctx, branch.id, { head: live, head_seq: branch.base_seq })
  }
  const { tree, blobs } = applyDrafts(base, drafts)
  const isMerged = own === undefined || (branch.head_seq ?? 0) >= branch.base_seq
  if (own !== undefined && isMerged) {
    const { root } = buildTrees(new Map([...tree.values()].map(({ path, blob }) => [path, blob])))
    const commit = (await findObjects(ctx, project.id, [own])).get(own)
    if (commit && parseCommit(commit.body).tree === root) return
  }
  await storeObjects(ctx, project.id, blobs)
  const parents = own === undefined ? [live] : isMerged ? [own] : [own, live]
  const at = ctx.clock.now()
  const head = await writeCommit(ctx, project.id, { tree, parents, message: MESSAGE, author: toAuthor(ctx), at })
  await updateBranch(ctx, branch.id, { head, head_seq: branch.base_seq })
}

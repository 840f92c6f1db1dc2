import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import type { GitObject } from '../../../platform/git/objects.ts'
import { type CommitGraph, collectReachable } from '../../../platform/git/walk.ts'
import { readBranch } from '../branch-state.ts'
import { getCommitAt } from '../live.repository.ts'
import { findObjects, findCommitGraph } from '../objects.repository.ts'
import { getBranchName } from '../show-branch.ts'
import { commitDrafts } from './own-branch.ts'

export const LIVE_REF = 'refs/heads/main'
const READ_AT_ONCE = 200

export const getOwnRef = (ctx: WorkspaceCtx): string => `refs/heads/${getBranchName(ctx)}`

export async function listRefs(ctx: WorkspaceCtx, code: string): Promise<{ name: string; id: string }[]> {
  await commitDrafts(ctx, code)
  const { project, branch } = await readBranch(ctx, code)
  const live = await getCommitAt(ctx, project.id, project.live_seq)
  const own = branch?.head ? [{ name: getOwnRef(ctx), id: branch.head }] : []
  return [{ name: LIVE_REF, id: live.commit_id }, ...own]
}

export interface FetchPlan {
  readonly common: string[]
  readonly count: number
  readonly objects: AsyncIterable<GitObject>
}

/** Objects missing between `haves` and `wants`; undefined if a wanted commit is not visible. */
export async function planFetch(
  ctx: WorkspaceCtx,
  code: string,
  { wants, haves }: { wants: readonly string[]; haves: readonly string[] },
): Promise<FetchPlan | undefined> {
  const { project, branch } = await readBranch(ctx, code)
  const skeleton = await findCommitGraph(ctx, project.id)
  const live = await getCommitAt(ctx, project.id, project.live_seq)
  const visible = collectReachable(skeleton, [live.commit_id, ...(branch?.head ? [branch.head] : [])])
  const isVisible = (id: string) => visible.has(id) && skeleton.get(id)?.kind === 'commit'
  if (!wants.every((id) => isVisible(id))) return undefined
  const common = haves.filter((id) => isVisible(id))
  const had = collectReachable(skeleton, common)
  const wanted = [...collectReachable(skeleton, wants, new Set(had))].filter((id) => !had.has(id))
  return { common, count: wanted.length, objects: readObjects(ctx, { projectId: project.id, skeleton, ids: wanted }) }
}

async function* readObjects(
  ctx: WorkspaceCtx,
  { projectId, skeleton, ids }: { projectId: number; skeleton: CommitGraph; ids: readonly string[] },
): AsyncGenerator<GitObject> {
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const batch = ids.slice(at, at + READ_AT_ONCE)
    const storedObjects = await findObjects(
      ctx,
      projectId,
      batch.filter((id) => !skeleton.has(id)),
    )
    for (const id of batch) {
      const object = skeleton.get(id) ?? storedObjects.get(id)
      if (!object) throw new Error(`the object ${id} is missing`)
      yield object
    }
  }
}

import { allows } from '@trellis/contract/core/permissions'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type GitObject, type StoredObject, parseCommit } from '../../../platform/git/objects.ts'
import { PackProblem, readPack } from '../../../platform/git/read-pack.ts'
import { collectAncestors, collectReachable } from '../../../platform/git/walk.ts'
import { assertPlanRuns } from '../../billing/plan-gate.service.ts'
import { type LockedBranch, changeBranch, projectNotFoundError, readBranch } from '../branch-state.ts'
import { findBranch } from '../drafts.repository.ts'
import { getCommitAt } from '../live.repository.ts'
import { findObjects, findCommitGraph } from '../objects.repository.ts'
import { lockProject } from '../projects.repository.ts'
import { storeObjects } from '../publish.ts'
import { checkObjects } from './check-objects.ts'
import { LIVE_REF, getOwnRef } from './git.service.ts'
import { commitLocked } from './own-branch.ts'
import { type ReceivedCommit, moveLiveBranch, moveOwnBranch } from './move-branches.ts'

export const MAX_PACK_BYTES = 32 * 1024 * 1024
const LIMITS = { maxObjects: 20_000, maxBytes: 96 * 1024 * 1024 }
const NO_COMMIT = '0'.repeat(40)

export interface RefUpdate {
  readonly ref: string
  readonly from: string
  readonly to: string
}

/** Delta bases are limited to objects the sender can see; otherwise a delta would reveal others by id. */
export async function readSentPack(ctx: WorkspaceCtx, code: string, pack: Buffer): Promise<StoredObject[]> {
  if (pack.length === 0) return []
  const { project, branch } = await readBranch(ctx, code)
  const objects = await readPack(pack, LIMITS, async (ids) => {
    const live = (await getCommitAt(ctx, project.id, project.live_seq)).commit_id
    const visible = collectReachable(await findCommitGraph(ctx, project.id), [live, branch?.head ?? live])
    return await findObjects(
      ctx,
      project.id,
      ids.filter((id) => visible.has(id)),
    )
  })
  checkObjects(objects)
  return objects
}

export async function updateRef(
  ctx: WorkspaceCtx,
  code: string,
  { update, objects }: { update: RefUpdate; objects: readonly StoredObject[] },
): Promise<string | undefined> {
  try {
    checkAllowed(ctx, update)
    await transaction(ctx, async (ctx) => {
      if (!(await lockProject(ctx, code))) throw projectNotFoundError()
      // Commits drafts first, so that a push unaware of them is refused instead of losing them.
      if (await hasBranch(ctx, code)) await changeBranch(ctx, code, commitLocked)
      await changeBranch(ctx, code, (ctx, state) => applyUpdate(ctx, state, { update, objects }))
    })
    return undefined
  } catch (error) {
    if (error instanceof PackProblem || error instanceof AppError) return error.message
    throw error
  }
}

async function hasBranch(ctx: WorkspaceCtx, code: string): Promise<boolean> {
  const { project } = await readBranch(ctx, code)
  return (await findBranch(ctx, { projectId: project.id, profileId: ctx.actor.profileId })) !== undefined
}

function checkAllowed(ctx: WorkspaceCtx, { ref, to }: RefUpdate): void {
  const own = getOwnRef(ctx)
  if (ref !== LIVE_REF && ref !== own) {
    throw new PackProblem(`only main and your own branch ${own.slice('refs/heads/'.length)} can be pushed`)
  }
  if (to === NO_COMMIT) throw new PackProblem('this branch can not be deleted')
  const callerRoles = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  if (ref === LIVE_REF && !allows('worksheets:publish', callerRoles)) {
    throw new PackProblem('your role does not allow publishing; push to your own branch instead')
  }
  assertPlanRuns({ account_type: ctx.account.type, stripe_plan_end_date: ctx.account.planEnd }, ctx.clock.now())
}

async function applyUpdate(
  ctx: WorkspaceCtx,
  state: LockedBranch,
  { update, objects }: { update: RefUpdate; objects: readonly StoredObject[] },
): Promise<void> {
  const { project } = state
  const live = (await getCommitAt(ctx, project.id, project.live_seq)).commit_id
  const own = (await findBranch(ctx, { projectId: project.id, profileId: ctx.actor.profileId }))?.head ?? null
  const current = update.ref === LIVE_REF ? live : (own ?? NO_COMMIT)
  if (update.from !== current) throw new PackProblem('fetch first')
  const storedGitObjects = await findCommitGraph(ctx, project.id)
  const sentGitObjects = new Map<string, GitObject>(objects.map((object) => [object.id, object]))
  const visible = collectReachable(storedGitObjects, [live, ...(own === null ? [] : [own])])
  const all = new Map<string, GitObject>([
    ...[...storedGitObjects].filter(([id]) => visible.has(id)),
    ...sentGitObjects,
  ])
  // Referencing an object by id must not grant access to it.
  const needed = collectReachable(all, [update.to])
  if (all.get(update.to)?.kind !== 'commit' || [...needed].some((id) => !sentGitObjects.has(id) && !visible.has(id))) {
    throw new PackProblem('objects are missing')
  }
  const ancestors = collectAncestors(all, update.to)
  if (current !== NO_COMMIT && !ancestors.has(current)) throw new PackProblem('non-fast-forward')
  await storeObjects(
    ctx,
    project.id,
    objects.filter(({ id }) => needed.has(id)),
  )
  const commit = all.get(update.to)
  if (!commit) throw new PackProblem('objects are missing')
  const received: ReceivedCommit = { id: update.to, objects: all, ancestors, tree: parseCommit(commit.body).tree }
  if (update.ref === LIVE_REF) await moveLiveBranch(ctx, state, { ...received, from: current, own })
  else await moveOwnBranch(ctx, state, received)
}

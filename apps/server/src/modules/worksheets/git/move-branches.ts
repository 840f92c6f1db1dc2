import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { parseCommit } from '../../../platform/git/objects.ts'
import { PackProblem } from '../../../platform/git/read-pack.ts'
import { type CommitGraph, flattenTree } from '../../../platform/git/walk.ts'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import { type LockedBranch, listWorkingPaths } from '../branch-state.ts'
import { findConflicts } from '../conflicts.repository.ts'
import { deleteDrafts, findDrafts, updateBranch } from '../drafts.repository.ts'
import { appendCommit, findSeqs, findTree } from '../live.repository.ts'
import { matchFiles } from '../merge/match-files.ts'
import { type Draft, type PublishedFile, type Tree, diffTrees } from '../merge/trees.ts'
import { findTexts } from '../objects.repository.ts'
import { applyDrafts, toAuthor } from '../push.ts'
import { replaceDrafts } from '../pull.ts'
import { updateBlocks } from '../scheduled/block-updates.ts'
import { checkPaths } from './check-objects.ts'

const MAX_COMMITS = 500

export interface ReceivedCommit {
  readonly id: string
  readonly tree: string
  readonly objects: CommitGraph
  readonly ancestors: ReadonlySet<string>
}

export async function moveLiveBranch(
  ctx: WorkspaceCtx,
  state: LockedBranch,
  commit: ReceivedCommit & { from: string; own: string | null },
): Promise<void> {
  let { project } = state
  const start: Tree = await findTree(ctx, project)
  let before = start
  const hints = new Map([...listWorkingPaths(state)].map(([fileId, path]) => [path, fileId]))
  for (const id of listSteps(commit)) {
    const data = parseCommit(commit.objects.get(id)?.body ?? Buffer.alloc(0))
    const after = await matchTree(ctx, project.id, { before, files: readFiles(commit, data.tree), hints })
    const me = toAuthor(ctx)
    project = await appendCommit(ctx, project, {
      commitId: id,
      message: data.message.slice(0, 10_000).toWellFormed() || 'No message',
      authorId: data.author.email === me.email ? me.id : null,
      authorName: data.author.name.slice(0, 200) || me.name,
      at: ctx.clock.now(),
      changes: diffTrees(before, after),
    })
    before = after
  }
  await updateBlocks(ctx, project, start)
  const { branch } = state
  const isOpen = (await findConflicts(ctx, branch.id)).size > 0
  const isMerged = commit.own === null ? state.drafts.size === 0 : commit.ancestors.has(commit.own)
  if (isOpen || !isMerged) return
  await deleteDrafts(ctx, branch.id, [...state.drafts.keys()])
  await updateBranch(ctx, branch.id, { base_seq: project.live_seq, head: commit.id, head_seq: project.live_seq })
}

function listSteps({ id, from, objects }: ReceivedCommit & { from: string }): string[] {
  const steps: string[] = []
  for (let at: string | undefined = id; at !== undefined && at !== from;) {
    steps.unshift(at)
    const commit = objects.get(at)
    at = commit ? parseCommit(commit.body).parents[0] : undefined
    if (at === undefined || steps.length > MAX_COMMITS) return id === from ? [] : [id]
  }
  return steps
}

function readFiles({ objects }: ReceivedCommit, tree: string): Map<string, string> {
  const files = flattenTree(objects, tree)
  checkPaths(files)
  return files
}

async function matchTree(
  ctx: WorkspaceCtx,
  projectId: number,
  { before, files, hints }: { before: Tree; files: ReadonlyMap<string, string>; hints?: ReadonlyMap<string, string> },
): Promise<Map<string, PublishedFile>> {
  const paths = new Set([...before.values()].map(({ path }) => path))
  const went = [...before.values()].filter(({ path }) => !files.has(path)).map(({ blob }) => blob)
  const came = [...files].filter(([path]) => !paths.has(path)).map(([, blob]) => blob)
  const isCompared = went.length > 0 && came.length > 0
  const texts = isCompared ? await findTexts(ctx, projectId, [...went, ...came]) : new Map<string, string>()
  return matchFiles({
    before,
    after: files,
    ...(hints && { hints }),
    readText: (blob) => texts.get(blob),
    newId: generateTrellisCode,
  })
}

/** Turns the pushed tree into drafts on main's latest commit that it contains. */
export async function moveOwnBranch(ctx: WorkspaceCtx, state: LockedBranch, commit: ReceivedCommit): Promise<void> {
  const { project, branch } = state
  if ((await findConflicts(ctx, branch.id)).size > 0) {
    throw new PackProblem('there are conflicts from the last pull; resolve them in the browser first')
  }
  const seqs = await findSeqs(ctx, project.id, [...commit.ancestors])
  const baseSeq = Math.max(...seqs)
  if (!Number.isFinite(baseSeq)) throw new PackProblem('this branch does not come from main')
  const base = await findTree(ctx, project, baseSeq)
  const drafts = await findDrafts(ctx, branch.id)
  const working = applyDrafts(state.base, drafts).tree
  const before = new Map<string, PublishedFile>([...base, ...working])
  const after = await matchTree(ctx, project.id, { before, files: readFiles(commit, commit.tree) })
  const changes = diffTrees(base, after)
  const texts = await findTexts(
    ctx,
    project.id,
    changes.flatMap(({ blob }) => blob ?? []),
  )
  const next = new Map<string, Draft>()
  for (const { fileId, change, path, blob } of changes) {
    const isBaseText = blob === base.get(fileId)?.blob
    const content = blob === null || isBaseText ? null : (texts.get(blob) ?? '')
    next.set(fileId, { path: change === 'deleted' ? null : path, content })
  }
  await replaceDrafts(ctx, branch.id, { before: drafts, after: next })
  await updateBranch(ctx, branch.id, { base_seq: baseSeq, head: commit.id, head_seq: baseSeq })
}

import type { Conflict, ConflictResolve } from '@trellis/contract/worksheets/worksheets.schemas'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import {
  type BranchState,
  assertFileLimit,
  changeBranch,
  buildPathIndex,
  listWorkingPaths,
  readBranch,
  writeDraft,
} from './branch-state.ts'
import { type ConflictRow, deleteConflict, findConflicts, insertConflict } from './conflicts.repository.ts'
import { type DraftRow, deleteDrafts, findDrafts, putDraft, updateBranch } from './drafts.repository.ts'
import { findWorkingFile, saveUnpublishedVersion } from './files.ts'
import { saveVersion } from './kept-versions.repository.ts'
import { findTree } from './live.repository.ts'
import { findFreePath } from './merge/paths.ts'
import { listPullBlobs } from './merge/pull-changes.ts'
import { mergeLarge, pullInThreadIfLarge } from './merge/pull-in-thread.ts'
import { type Drafts, diffTrees } from './merge/trees.ts'
import { findTexts } from './objects.repository.ts'
import { showBranch } from './show-branch.ts'

/** On a conflict my draft stays until it is resolved. */
export async function pullLiveBranch(ctx: WorkspaceCtx, body: { project_id: string }) {
  const result = await changeBranch(ctx, body.project_id, async (ctx, { project, branch, base }) => {
    if (branch.base_seq === project.live_seq) return { updated_count: 0, moved: [] }
    if ((await findConflicts(ctx, branch.id)).size > 0) {
      throw new AppError('conflict', 'There are conflicts from the last pull. Resolve them first.')
    }
    const live = await findTree(ctx, project)
    const drafts = await findDrafts(ctx, branch.id)
    const texts = await findTexts(ctx, project.id, listPullBlobs({ base, live, drafts }))
    const outcome = await pullInThreadIfLarge({ base, live, drafts, texts })
    const at = ctx.clock.now()
    for (const replaced of outcome.replaced) await saveVersion(ctx, branch.id, { ...replaced, reason: 'pulled', at })
    await replaceDrafts(ctx, branch.id, { before: drafts, after: outcome.drafts })
    for (const { fileId, base, theirs } of outcome.conflicts) {
      await insertConflict(ctx, branch.id, {
        file_id: fileId,
        base_path: base?.path ?? null,
        base_blob: base?.blob ?? null,
        theirs_path: theirs?.path ?? null,
        theirs_blob: theirs?.blob ?? null,
      })
    }
    assertFileLimit(listWorkingPaths({ base: live, drafts: await findDrafts(ctx, branch.id) }).size)
    await updateBranch(ctx, branch.id, { base_seq: project.live_seq })
    const moved = outcome.moved.map(({ fileId, from, to }) => ({ file_id: fileId, from, to }))
    return { updated_count: diffTrees(base, live).length, moved }
  })
  return { branch: await showBranch(ctx, await readBranch(ctx, body.project_id)), ...result }
}

/** Unchanged drafts keep their version, so that an open tab can still save. */
export async function replaceDrafts(
  ctx: WorkspaceCtx,
  branchId: number,
  { before, after }: { before: ReadonlyMap<string, DraftRow>; after: Drafts },
): Promise<void> {
  const at = ctx.clock.now()
  const gone = [...before.keys()].filter((fileId) => !after.has(fileId))
  await deleteDrafts(ctx, branchId, gone)
  for (const [fileId, draft] of after) {
    const was = before.get(fileId)
    const isSame = was?.path === draft.path && was.content === draft.content
    if (!isSame) await putDraft(ctx, branchId, { ...draft, fileId, at, keptAt: was?.kept_at ?? at })
  }
}

export async function listConflicts(ctx: WorkspaceCtx, code: string): Promise<Conflict[]> {
  const state = await readBranch(ctx, code)
  if (!state.branch) return []
  const rows = [...(await findConflicts(ctx, state.branch.id)).values()]
  const blobs = rows.flatMap(({ base_blob, theirs_blob }) => [base_blob, theirs_blob]).filter((blob) => blob !== null)
  const texts = await findTexts(ctx, state.project.id, blobs)
  const sides = await Promise.all(rows.map((row) => readSides(ctx, state, { row, texts })))
  const merging = sides.filter(hasBothSides)
  const mergedTexts = await mergeLarge(
    merging.map(({ base, mine, theirs }) => ({
      base: base?.content ?? '',
      mine: mine.content,
      theirs: theirs.content,
    })),
  )
  const mergedById = new Map(merging.map(({ file_id }, at) => [file_id, mergedTexts[at]?.text]))
  return sides.map((conflict) => ({ ...conflict, merged: mergedById.get(conflict.file_id) ?? null }))
}

type Sides = Omit<Conflict, 'merged'>
type Side = NonNullable<Conflict['mine']>

const hasBothSides = (sides: Sides): sides is Sides & { mine: Side; theirs: Side } =>
  sides.mine !== null && sides.theirs !== null

async function readSides(
  ctx: WorkspaceCtx,
  state: BranchState,
  { row, texts }: { row: ConflictRow; texts: ReadonlyMap<string, string> },
): Promise<Sides> {
  const toSide = (path: string | null, blob: string | null) =>
    path === null || blob === null ? null : { path, content: texts.get(blob) ?? '' }
  const base = toSide(row.base_path, row.base_blob)
  const theirs = toSide(row.theirs_path, row.theirs_blob)
  const file = await findWorkingFile(ctx, state, row.file_id)
  const mine = file ? { path: file.path, content: file.content } : null
  return { file_id: row.file_id, path: mine?.path ?? theirs?.path ?? base?.path ?? '', base, mine, theirs }
}

type Resolve = z.output<typeof ConflictResolve>

/** The draft is already based on main, so `mine` only closes the conflict. */
export async function resolveConflict(ctx: WorkspaceCtx, body: Resolve) {
  const { content } = body
  if ((body.keep === 'merged') !== (content !== undefined)) {
    throw new AppError('invalid_request', 'content: needed with "merged", and only then', {
      source: { pointer: '/content' },
    })
  }
  await changeBranch(ctx, body.project_id, async (ctx, state) => {
    const { branch, base } = state
    const row = (await findConflicts(ctx, branch.id)).get(body.file_id)
    if (!row) throw new AppError('not_found', 'There is no such conflict.')
    if (body.keep !== 'mine') {
      await saveUnpublishedVersion(ctx, state, { fileId: body.file_id, reason: 'resolved' })
      const index = buildPathIndex(state, new Set([body.file_id]))
      const mine = state.drafts.get(body.file_id)?.path ?? base.get(body.file_id)?.path
      const path = body.keep === 'merged' ? (mine ?? row.theirs_path ?? row.base_path) : row.theirs_path
      if (path === null) await deleteDrafts(ctx, branch.id, [body.file_id])
      else {
        const draft = { fileId: body.file_id, path: findFreePath(index, path), content: content ?? null }
        await writeDraft(ctx, state, draft)
      }
    }
    await deleteConflict(ctx, branch.id, body.file_id)
  })
  return await showBranch(ctx, await readBranch(ctx, body.project_id))
}

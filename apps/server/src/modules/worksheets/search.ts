import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listWorkingPaths, readBranch } from './branch-state.ts'
import { findDrafts } from './drafts.repository.ts'
import { getName } from './merge/paths.ts'
import { findMatchingBlobs } from './objects.repository.ts'
import { findProjects } from './projects.repository.ts'
import { toPlace } from './show-branch.ts'

const DEFAULT_LIMIT = 20
const MAX_LINE_LENGTH = 200

export async function searchWorksheets(ctx: WorkspaceCtx, query: { search: string; limit?: number | undefined }) {
  const { limit = DEFAULT_LIMIT } = query
  const wanted = query.search.toLowerCase()
  const [named, others] = [[] as Hit[], [] as Hit[]]
  for (const { trellis_code } of await findProjects(ctx)) {
    for (const hit of await searchProject(ctx, trellis_code, wanted)) {
      ;(hit.name.toLowerCase().includes(wanted) ? named : others).push(hit)
    }
  }
  return [...named, ...others].slice(0, limit)
}

type Hit = Awaited<ReturnType<typeof searchProject>>[number]

async function searchProject(ctx: WorkspaceCtx, code: string, wanted: string) {
  const state = await readBranch(ctx, code)
  const { project, branch, base } = state
  const drafts = branch ? await findDrafts(ctx, branch.id) : new Map<string, never>()
  const blobs = [...base.values()].map(({ blob }) => blob)
  const texts = await findMatchingBlobs(ctx, project.id, { blobs, wanted })
  const hits = []
  for (const [file_id, path] of listWorkingPaths(state)) {
    const text = drafts.get(file_id)?.content ?? texts.get(base.get(file_id)?.blob ?? '')
    const line = text === undefined ? null : findLine(text, wanted)
    if (line === null && !getName(path).toLowerCase().includes(wanted)) continue
    const place = toPlace(project, path)
    hits.push({ project_id: project.trellis_code, project_name: project.name, file_id, ...place, line })
  }
  return hits
}

function findLine(text: string, wanted: string): { number: number; text: string } | null {
  const at = text.toLowerCase().indexOf(wanted)
  if (at < 0) return null
  const before = text.slice(0, at)
  const start = before.lastIndexOf('\n') + 1
  const line = text.slice(start, text.indexOf('\n', at) < 0 ? undefined : text.indexOf('\n', at))
  return { number: before.split('\n').length, text: line.slice(0, MAX_LINE_LENGTH).toWellFormed() }
}

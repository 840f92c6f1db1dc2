import type { DraftState, FileChangeKind } from '@trellis/contract/worksheets/worksheets.schemas'

export interface PublishedFile {
  readonly path: string
  readonly blob: string
}
/** Ids survive renames and moves. */
export type Tree = ReadonlyMap<string, PublishedFile>

/** `path` null: deleted. `content` null: the base's text. */
export interface Draft {
  readonly path: string | null
  readonly content: string | null
}
export type Drafts = ReadonlyMap<string, Draft>

export interface FileChange {
  readonly fileId: string
  readonly change: FileChangeKind
  readonly path: string
  readonly previousPath: string | null
  readonly blob: string | null
}

export function diffTrees(before: Tree, after: Tree): FileChange[] {
  const changes: FileChange[] = []
  for (const [fileId, { path, blob }] of after) {
    const was = before.get(fileId)
    if (was?.path === path && was.blob === blob) continue
    const change = !was ? 'added' : was.path === path ? 'edited' : 'renamed'
    changes.push({ fileId, change, path, previousPath: change === 'renamed' ? (was?.path ?? null) : null, blob })
  }
  for (const [fileId, { path }] of before) {
    if (!after.has(fileId)) changes.push({ fileId, change: 'deleted', path, previousPath: null, blob: null })
  }
  return changes
}

export function getDraftState(base: PublishedFile | undefined, draft: Draft | undefined): DraftState {
  if (!draft) return 'unchanged'
  if (draft.path === null) return 'deleted'
  if (!base) return 'added'
  return draft.path === base.path ? 'edited' : 'renamed'
}

export function listPaths(base: Tree, drafts: Drafts): Map<string, string> {
  const paths = new Map<string, string>()
  for (const [fileId, { path }] of base) if (!drafts.has(fileId)) paths.set(fileId, path)
  for (const [fileId, { path }] of drafts) if (path !== null) paths.set(fileId, path)
  return paths
}

import { mergeText } from './merge-text.ts'
import { createPathIndex, findFreePath } from './paths.ts'
import type { Draft, Drafts, PublishedFile, Tree } from './trees.ts'

interface Side {
  readonly path: string
  readonly content: string
}
export interface PullInput {
  readonly base: Tree
  readonly live: Tree
  readonly drafts: Drafts
  readonly texts: ReadonlyMap<string, string>
}
interface FoundConflict {
  readonly fileId: string
  readonly base: PublishedFile | null
  readonly theirs: PublishedFile | null
}
export interface PullOutcome {
  readonly drafts: Map<string, Draft>
  readonly conflicts: FoundConflict[]
  readonly replaced: { fileId: string; path: string; content: string }[]
  readonly moved: { fileId: string; from: string; to: string }[]
}

const isSame = (left: PublishedFile | undefined, right: PublishedFile | undefined) =>
  left?.path === right?.path && left?.blob === right?.blob

export function listPullBlobs({ base, live, drafts }: Omit<PullInput, 'texts'>): string[] {
  const blobs = new Set<string>()
  for (const fileId of drafts.keys()) {
    const sides = [base.get(fileId), live.get(fileId)] as const
    if (isSame(...sides)) continue
    for (const side of sides) if (side) blobs.add(side.blob)
  }
  return [...blobs]
}

/** Rebases drafts onto a later tree. What cannot be merged stays unchanged and becomes a conflict. */
export function pullChanges(input: PullInput): PullOutcome {
  const { base, live, drafts } = input
  const outcome: PullOutcome = { drafts: new Map(), conflicts: [], replaced: [], moved: [] }
  for (const [fileId, draft] of drafts) {
    const was = base.get(fileId)
    const theirs = live.get(fileId)
    if (isSame(was, theirs)) outcome.drafts.set(fileId, draft)
    else pullFile(outcome, { ...input, fileId, draft, was, theirs })
  }
  placeDrafts(outcome, live)
  return outcome
}

interface FileInput extends PullInput {
  readonly fileId: string
  readonly draft: Draft
  readonly was: PublishedFile | undefined
  readonly theirs: PublishedFile | undefined
}

function pullFile(outcome: PullOutcome, input: FileInput): void {
  const { fileId, draft, was, theirs, texts } = input
  const base = toSide(was, texts)
  const other = toSide(theirs, texts)
  const mine = draft.path === null ? null : { path: draft.path, content: draft.content ?? base?.content ?? '' }
  const merged = mergeFile({ base, mine, theirs: other })
  if (merged === 'conflict') {
    outcome.conflicts.push({ fileId, base: was ?? null, theirs: theirs ?? null })
    // Must be stored now, since the base's text changes.
    outcome.drafts.set(fileId, mine ?? { path: null, content: null })
    return
  }
  const isReplaced = draft.content !== null && merged?.content !== draft.content
  if (isReplaced && mine) outcome.replaced.push({ fileId, ...mine })
  if (!merged || isSameSide(merged, other)) return
  const content = merged.content === other?.content ? null : merged.content
  outcome.drafts.set(fileId, { path: merged.path, content })
}

const isSameSide = (left: Side, right: Side | null) => left.path === right?.path && left.content === right.content

const toSide = (file: PublishedFile | undefined, texts: ReadonlyMap<string, string>): Side | null =>
  file ? { path: file.path, content: getText(texts, file.blob) } : null

function getText(texts: ReadonlyMap<string, string>, blob: string): string {
  const text = texts.get(blob)
  if (text === undefined) throw new Error(`the text of ${blob} is missing`)
  return text
}

function mergeFile(sides: { base: Side | null; mine: Side | null; theirs: Side | null }): Side | null | 'conflict' {
  const { base, mine, theirs } = sides
  if (!mine && !theirs) return null
  if (!mine || !theirs) return 'conflict'
  const path = pick(base?.path, mine.path, theirs.path)
  if (path === undefined) return 'conflict'
  const content = pick(base?.content, mine.content, theirs.content)
  if (content !== undefined) return { path, content }
  if (!base) return 'conflict'
  const mergedText = mergeText({ base: base.content, mine: mine.content, theirs: theirs.content })
  return mergedText.hasConflict ? 'conflict' : { path, content: mergedText.text }
}

/** The changed side, if only one changed or both agree. */
function pick(base: string | undefined, mine: string, theirs: string): string | undefined {
  if (mine === theirs || theirs === base) return mine
  return mine === base ? theirs : undefined
}

/** A draft is moved if main has another file at its path, which may be in use. */
function placeDrafts({ drafts, moved }: PullOutcome, live: Tree): void {
  const index = createPathIndex()
  for (const [fileId, { path }] of live) {
    const draft = drafts.get(fileId)
    if (!draft || draft.path === path) index.add(path)
  }
  for (const [fileId, draft] of [...drafts].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const { path } = draft
    if (path === null || path === live.get(fileId)?.path) continue
    const free = findFreePath(index, path)
    index.add(free)
    if (free === path) continue
    moved.push({ fileId, from: path, to: free })
    drafts.set(fileId, { ...draft, path: free })
  }
}

import { diffArrays } from 'diff'

/** The diff is quadratic in the edits: beyond this it counts as a conflict. */
const MAX_EDITS = 1000
const MAX_COUNTED_EDITS = 300

interface Hunk {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

const splitLines = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/))

function findHunks(base: string[], changed: string[], maxEditLength = MAX_EDITS): Hunk[] | undefined {
  const parts = diffArrays(base, changed, { maxEditLength })
  if (parts === undefined) return undefined
  const hunks: Hunk[] = []
  let at = 0
  let open: { start: number; lines: string[] } | undefined
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      if (open) hunks.push({ ...open, end: at })
      open = undefined
      at += value.length
      continue
    }
    open ??= { start: at, lines: [] }
    if (added) open.lines.push(...value)
    else at += value.length
  }
  if (open) hunks.push({ ...open, end: at })
  return hunks
}

export function countChangedLines(before: string, after: string): { added: number; deleted: number } | undefined {
  const hunks = findHunks(splitLines(before), splitLines(after), MAX_COUNTED_EDITS)
  return (
    hunks && {
      added: hunks.reduce((sum, { lines }) => sum + lines.length, 0),
      deleted: hunks.reduce((sum, { start, end }) => sum + end - start, 0),
    }
  )
}

export interface MergedText {
  readonly text: string
  readonly hasConflict: boolean
}

export interface TextSides {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** Three-way merge. Adjacent changes conflict, as in git. */
export function mergeText(sides: TextSides): MergedText {
  const [base, mine, theirs] = [splitLines(sides.base), splitLines(sides.mine), splitLines(sides.theirs)]
  const ours = findHunks(base, mine)
  const others = findHunks(base, theirs)
  if (!ours || !others) return { text: markConflict(mine, theirs), hasConflict: true }
  const result: string[] = []
  let hasConflict = false
  let at = 0
  for (const group of groupHunks(ours, others)) {
    result.push(...base.slice(at, group.start))
    at = group.end
    const left = applyHunks(base, group, group.ours)
    const right = applyHunks(base, group, group.others)
    if (group.others.length === 0 || left.join('') === right.join('')) result.push(...left)
    else if (group.ours.length === 0) result.push(...right)
    else {
      hasConflict = true
      result.push(markConflict(left, right))
    }
  }
  result.push(...base.slice(at))
  return { text: result.join(''), hasConflict }
}

interface Group {
  start: number
  end: number
  readonly ours: Hunk[]
  readonly others: Hunk[]
}

function groupHunks(ours: readonly Hunk[], others: readonly Hunk[]): Group[] {
  const all = [
    ...ours.map((hunk) => ({ hunk, isOurs: true })),
    ...others.map((hunk) => ({ hunk, isOurs: false })),
  ].toSorted((left, right) => left.hunk.start - right.hunk.start || left.hunk.end - right.hunk.end)
  const groups: Group[] = []
  for (const { hunk, isOurs } of all) {
    let group = groups.at(-1)
    if (!group || hunk.start > group.end) {
      group = { start: hunk.start, end: hunk.end, ours: [], others: [] }
      groups.push(group)
    }
    group.end = Math.max(group.end, hunk.end)
    ;(isOurs ? group.ours : group.others).push(hunk)
  }
  return groups
}

function applyHunks(base: readonly string[], { start, end }: Group, hunks: readonly Hunk[]): string[] {
  const lines: string[] = []
  let at = start
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.start), ...hunk.lines)
    at = hunk.end
  }
  return [...lines, ...base.slice(at, end)]
}

function markConflict(mine: readonly string[], theirs: readonly string[]): string {
  const ended = (lines: readonly string[]) => {
    const text = lines.join('')
    return text === '' || text.endsWith('\n') ? text : `${text}\n`
  }
  return `<<<<<<< mine\n${ended(mine)}=======\n${ended(theirs)}>>>>>>> live\n`
}

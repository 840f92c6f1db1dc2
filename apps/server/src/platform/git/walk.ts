import { FOLDER_MODE, type GitObject, parseCommit, parseTree } from './objects.ts'

export type CommitGraph = ReadonlyMap<string, GitObject>

export function collectReachable(objects: CommitGraph, tips: Iterable<string>, seen = new Set<string>()): Set<string> {
  for (const commit of collectCommits(objects, tips, seen)) collectTree(objects, parseCommit(commit.body).tree, seen)
  return seen
}

function* collectCommits(objects: CommitGraph, tips: Iterable<string>, seen: Set<string>): Generator<GitObject> {
  const waiting = [...tips]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const commit = objects.get(id)
    if (seen.has(id) || commit?.kind !== 'commit') continue
    seen.add(id)
    yield commit
    waiting.push(...parseCommit(commit.body).parents)
  }
}

function collectTree(objects: CommitGraph, id: string, seen: Set<string>): void {
  if (seen.has(id)) return
  seen.add(id)
  const tree = objects.get(id)
  if (tree?.kind !== 'tree') return
  for (const entry of parseTree(tree.body)) {
    if (entry.mode === FOLDER_MODE) collectTree(objects, entry.id, seen)
    else seen.add(entry.id)
  }
}

export function collectAncestors(objects: CommitGraph, tip: string): Set<string> {
  const seen = new Set<string>()
  for (const _ of collectCommits(objects, [tip], seen)) continue
  return seen
}

export function flattenTree(objects: CommitGraph, root: string): Map<string, string> {
  const files = new Map<string, string>()
  const walk = (id: string, folder: string) => {
    const tree = objects.get(id)
    if (tree?.kind !== 'tree') throw new Error(`the tree ${id} is missing`)
    for (const { mode, name, id: inside } of parseTree(tree.body)) {
      if (mode === FOLDER_MODE) walk(inside, `${folder}${name}/`)
      else files.set(`${folder}${name}`, inside)
    }
  }
  walk(root, '')
  return files
}

import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { type Import, readImports } from './read-imports.ts'

export interface Edge extends Import {
  from: string
  /** `packages/…/x.ts`, `npm:zod`, `node:fs` or `lost:…`. */
  to: string
}

export interface Graph {
  files: readonly string[]
  edges: readonly Edge[]
}

const SOURCE = /\.(ts|tsx|mts)$/
const OWN_TEST = 'tools/boundaries/boundaries.test.ts'
const BUILTINS = new Set(builtinModules)

export function readGraph(root: string, paths: readonly string[]): Graph {
  const files = paths.filter((path) => SOURCE.test(path) && path !== OWN_TEST)
  const knownPaths = new Set(paths)
  const edges = files.flatMap((from) =>
    readImports(readFileSync(join(root, from), 'utf8')).map((foundImport): Edge => {
      return { ...foundImport, from, to: resolve({ from, specifier: foundImport.specifier, known: knownPaths, root }) }
    }),
  )
  return { files, edges }
}

function resolve(what: { from: string; specifier: string; known: Set<string>; root: string }): string {
  const { from, known, root } = what
  const specifier = what.specifier.replace(/\?.*$/, '')
  if (specifier.startsWith('node:')) return specifier
  if (BUILTINS.has(specifier)) return `node:${specifier}`
  if (specifier.startsWith('.')) {
    const path = posix.normalize(posix.join(dirname(from), specifier))
    return known.has(path) || existsSync(join(root, path)) ? path : `lost:${path}`
  }
  const ownGroup = /^@trellis\/(?<name>[^/]+)\/(?<path>.+)$/.exec(specifier)?.groups
  if (ownGroup) {
    const path = `packages/${ownGroup['name']}/src/${ownGroup['path']}.ts`
    return known.has(path) ? path : `lost:${path}`
  }
  const parts = specifier.split('/')
  return `npm:${specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]}`
}

export function reach(graph: Graph, starts: readonly string[]): Map<string, string[]> {
  const out = Map.groupBy(
    graph.edges.filter((edge) => !edge.isType && !edge.isLazy),
    (edge) => edge.from,
  )
  const ways = new Map(starts.map((start) => [start, [start]]))
  const queue = [...starts]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const { to } of out.get(at) ?? []) {
      if (ways.has(to)) continue
      ways.set(to, [...(ways.get(at) ?? []), to])
      queue.push(to)
    }
  }
  return ways
}

export function findCycles(graph: Graph): string[][] {
  const out = Map.groupBy(
    graph.edges.filter((edge) => !edge.isLazy),
    (edge) => edge.from,
  )
  const state = new Map<string, 'open' | 'done'>()
  const cycles: string[][] = []
  const visit = (file: string, path: string[]) => {
    state.set(file, 'open')
    for (const { to } of out.get(file) ?? []) {
      if (state.get(to) === 'open') cycles.push([...path.slice(path.indexOf(to)), to])
      else if (!state.has(to) && out.has(to)) visit(to, [...path, to])
    }
    state.set(file, 'done')
  }
  for (const file of graph.files) if (!state.has(file)) visit(file, [file])
  return cycles
}

const MODULE = /^apps\/server\/src\/modules\/([^/]+)\//

export function toModules(edges: readonly Edge[]): Graph {
  const between = edges.flatMap((edge) => {
    const [from, to] = [MODULE.exec(edge.from)?.[1], MODULE.exec(edge.to)?.[1]]
    return from === undefined || to === undefined || from === to ? [] : [{ ...edge, from, to }]
  })
  return { files: [...new Set(between.map(({ from }) => from))], edges: between }
}

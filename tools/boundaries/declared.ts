import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Edge, Graph } from './graph.ts'
import { TEST } from './rules.ts'

interface Manifest {
  files?: readonly string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/**
 * Libraries that the importing package.json does not declare work only while another package happens to bring them.
 * Tests and tools may use what any workspace declares.
 */
export function findUndeclared(root: string, graph: Graph): string[] {
  const folders = ['apps', 'packages', 'connectors'].flatMap((top) => foldersIn(root, top))
  const shipped = new Map(
    folders.map((folder) => {
      const manifest = readManifest(root, folder)
      return [folder, isBundled(manifest) ? allNames(manifest) : shippedNames(manifest)]
    }),
  )
  const anywhere = new Set(['', ...folders].flatMap((folder) => [...allNames(readManifest(root, folder))]))
  const allowed = (edge: Edge, folder: string): ReadonlySet<string> => {
    const isShipped = folder !== '' && edge.from.startsWith(`${folder}/src/`) && !TEST.test(edge.from)
    return isShipped ? (shipped.get(folder) ?? new Set()) : anywhere
  }
  return graph.edges.flatMap((edge) => {
    if (!edge.to.startsWith('npm:')) return []
    const library = edge.to.slice('npm:'.length)
    const folder = /^(apps|packages|connectors)\/[^/]+/.exec(edge.from)?.[0] ?? ''
    if (allowed(edge, folder).has(library)) return []
    return [`${edge.from}:${edge.line}: undeclared: ${library} is not a dependency in ${folder || '.'}/package.json.`]
  })
}

function foldersIn(root: string, top: string): string[] {
  if (!existsSync(join(root, top))) return []
  return readdirSync(join(root, top)).map((name) => `${top}/${name}`)
}

function readManifest(root: string, folder: string): Manifest {
  const file = join(root, folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {}
}

function shippedNames(manifest: Manifest): Set<string> {
  return new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
}

const isBundled = ({ files }: Manifest): boolean => files?.length === 1 && files[0] === 'dist'

function allNames(manifest: Manifest): Set<string> {
  return new Set([...shippedNames(manifest), ...Object.keys(manifest.devDependencies ?? {})])
}

import { type Edge, type Graph, findCycles, reach, readGraph, toModules } from './graph.ts'
import { PACKAGES, REACH_RULES, RULES, TEST } from './rules.ts'
import { findUndeclared } from './declared.ts'

export interface Outcome {
  problems: string[]
  fileCount: number
  importCount: number
}

/** A reader that finds no files finds no violations either. */
const FLOOR = 400

export function checkBoundaries(root: string, paths: readonly string[], floor: number = FLOOR): Outcome {
  const graph = readGraph(root, paths)
  const shipped = graph.edges.filter((edge) => !TEST.test(edge.from))
  const problems = [
    ...graph.edges
      .filter((edge) => edge.to.startsWith('lost:'))
      .map((edge) => formatViolation(edge, 'lost-import', 'There is no such file.')),
    ...shipped
      .filter((edge) => TEST.test(edge.to))
      .map((edge) => formatViolation(edge, 'tests-apart', 'What ships must not import what only tests use.')),
    ...shipped.flatMap((edge) => brokenRules(edge)),
    ...shipped.flatMap((edge) => brokenPackageRule(edge)),
    ...brokenReach(graph),
    ...findCycles(graph).map((cycle) => `${cycle[0]}: no-cycles: ${cycle.join(' → ')}`),
    ...findCycles(toModules(shipped)).map((cycle) => `${cycle[0]}: module-cycles: ${cycle.join(' → ')}`),
    ...findPrivateServices(shipped),
    ...findUndeclared(root, graph),
  ]
  const { length: fileCount } = graph.files
  if (fileCount < floor) problems.push(`Only ${fileCount} source files were seen, at least ${floor} were expected.`)
  return { problems, fileCount, importCount: graph.edges.length }
}

const SERVICE = /^(?<folder>apps\/server\/src\/modules\/[^/]+\/).*\.service\.ts$/

function findPrivateServices(shipped: readonly Edge[]): string[] {
  const services = new Set(shipped.flatMap(({ from, to }) => [from, to]).filter((path) => SERVICE.test(path)))
  for (const { from, to } of shipped) {
    const own = SERVICE.exec(to)?.groups?.['folder']
    if (own !== undefined && !from.startsWith(own)) services.delete(to)
  }
  return [...services].map((path) => `${path}: private-services: No other module imports it: drop “.service”.`)
}

function formatViolation(edge: Edge, rule: string, why: string): string {
  return `${edge.from}:${edge.line}: ${rule}: must not import ${edge.to}. ${why}`
}

function brokenRules(edge: Edge): string[] {
  return RULES.filter(({ from, never, except }) => {
    const match = from.exec(edge.from)
    if (!match) return false
    const pattern = (text: string) => new RegExp(text.replaceAll('<own>', match.groups?.['own'] ?? ''))
    return pattern(never).test(edge.to) && !(except !== undefined && pattern(except).test(edge.to))
  }).map(({ name, why }) => formatViolation(edge, name, why))
}

function brokenPackageRule(edge: Edge): string[] {
  const own = findPackage(edge.from)
  if (own === undefined) return []
  const rule = PACKAGES[own]
  if (!rule) return [`${edge.from}: packages: ${own} is not in the table of tools/boundaries/rules.ts.`]
  const target = findPackage(edge.to)
  const isForeign = target !== undefined && target !== own && !rule.packages.includes(target)
  if (isForeign)
    return [formatViolation(edge, 'packages', `${own} may import ${rule.packages.join(', ') || 'no other package'}.`)]
  const libraries = rule.libraries ?? ['zod']
  const isImpure =
    rule.isPure === true &&
    !edge.isType &&
    (edge.to.startsWith('node:') || (edge.to.startsWith('npm:') && !libraries.includes(edge.to.slice('npm:'.length))))
  return isImpure ? [formatViolation(edge, 'purity', `${own} imports ${libraries.join(', ')} and nothing else.`)] : []
}

function findPackage(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1]
}

function brokenReach(graph: Graph): string[] {
  return REACH_RULES.flatMap((rule) => {
    const starts = graph.files.filter((file) => rule.starts.test(file) && !TEST.test(file))
    return [...reach(graph, starts)]
      .filter(([target]) => rule.never.test(target))
      .map(([, way]) => `${way[0]}: ${rule.name}: loads ${way.slice(1).join(' → ')}. ${rule.why}`)
  })
}

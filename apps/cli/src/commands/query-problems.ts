import type { FlowFile } from '@trellis/dataflow-engine/flow-file/flow-file'
import type { FindLine } from '@trellis/dataflow-engine/flow-file/read-flow-file'

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}
interface Rule {
  readonly if: Shape
  readonly then: Shape
}
interface Schema {
  readonly properties: { readonly blocks: { readonly additionalProperties: { readonly allOf: readonly Rule[] } } }
}

interface Problem {
  readonly line: number | null
  readonly message: string
}
type Path = readonly (string | number)[]

/** Platforms missing from the schema are checked by the server only. */
export function findQueryProblems({ blocks = {} }: FlowFile, schema: Schema, findLine: FindLine): Problem[] {
  const rules = schema.properties.blocks.additionalProperties.allOf
  return Object.entries(blocks).flatMap(([key, { kind, integration, settings = {} }]) => {
    if (typeof integration !== 'object') return []
    const shape = findShape(rules, kind, integration.platform)
    const tell = (path: Path, message: string): Problem => {
      const whole = ['blocks', key, 'settings', ...path]
      return { line: findLine(whole), message: `${whole.join('.')}: ${message}` }
    }
    if (kind === 'Destination') return compare(settings['query'], shape?.['query'], { path: ['query'], tell })
    const inner = shape?.['subtasks']?.items?.properties?.['query']
    const subtasks = (settings['subtasks'] ?? []) as readonly { query?: unknown }[]
    return subtasks.flatMap(({ query }, at) => compare(query, inner, { path: ['subtasks', at, 'query'], tell }))
  })
}

function findShape(rules: readonly Rule[], kind: string, platform: string): Shape['properties'] {
  const isMeant = ({ if: { properties } }: Rule) =>
    properties?.['kind']?.const === kind && properties['integration']?.properties?.['platform']?.const === platform
  return rules.find((rule) => isMeant(rule))?.then.properties?.['settings']?.properties
}

interface ProblemSite {
  readonly path: Path
  readonly tell: (path: Path, message: string) => Problem
}

function compare(value: unknown, shape: Shape | undefined, { path, tell }: ProblemSite): Problem[] {
  if (!shape) return []
  if (shape.enum && !shape.enum.includes(value)) {
    const allowed = shape.enum.filter((item) => item !== null && item !== '').join(', ')
    return [tell(path, `${JSON.stringify(value)} is not allowed here. Allowed: ${allowed}.`)]
  }
  const fields = shape.properties
  if (!fields || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    Object.hasOwn(fields, name)
      ? compare(inner, fields[name], { path: [...path, name], tell })
      : [tell([...path, name], `"${name}" is not known here. Known: ${Object.keys(fields).join(', ')}.`)],
  )
}

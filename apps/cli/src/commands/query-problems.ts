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
    const createProblem = (path: Path, message: string): Problem => {
      const fullPath = ['blocks', key, 'settings', ...path]
      return { line: findLine(fullPath), message: `${fullPath.join('.')}: ${message}` }
    }
    if (kind === 'Destination')
      return findShapeProblems(settings['query'], shape?.['query'], { path: ['query'], createProblem })
    const innerShape = shape?.['subtasks']?.items?.properties?.['query']
    const subtasks = (settings['subtasks'] ?? []) as readonly { query?: unknown }[]
    return subtasks.flatMap(({ query }, index) =>
      findShapeProblems(query, innerShape, { path: ['subtasks', index, 'query'], createProblem }),
    )
  })
}

function findShape(rules: readonly Rule[], kind: string, platform: string): Shape['properties'] {
  const appliesTo = ({ if: { properties } }: Rule) =>
    properties?.['kind']?.const === kind && properties['integration']?.properties?.['platform']?.const === platform
  return rules.find((rule) => appliesTo(rule))?.then.properties?.['settings']?.properties
}

interface ProblemSite {
  readonly path: Path
  readonly createProblem: (path: Path, message: string) => Problem
}

function findShapeProblems(value: unknown, shape: Shape | undefined, { path, createProblem }: ProblemSite): Problem[] {
  if (!shape) return []
  if (shape.enum && !shape.enum.includes(value)) {
    const allowed = shape.enum.filter((item) => item !== null && item !== '').join(', ')
    return [createProblem(path, `${JSON.stringify(value)} is not allowed here. Allowed: ${allowed}.`)]
  }
  const fields = shape.properties
  if (!fields || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, innerShape]) =>
    Object.hasOwn(fields, name)
      ? findShapeProblems(innerShape, fields[name], { path: [...path, name], createProblem })
      : [createProblem([...path, name], `"${name}" is not known here. Known: ${Object.keys(fields).join(', ')}.`)],
  )
}

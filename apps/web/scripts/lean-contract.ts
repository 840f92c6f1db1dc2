import type { Plugin } from 'vite'

interface Node {
  type: string
  start: number
  end: number
  [part: string]: unknown
}

/** Endpoint fields that only the server and the API reference need. */
const UNUSED = new Set([
  'summary',
  'feature',
  'errors',
  'limit',
  'quiet',
  'worksWhenPlanIsOver',
  'maxBodyBytes',
  'params',
  'query',
])

/**
 * Strips endpoint schemas that only the server checks: they would be half of what many routes load. Event schemas stay,
 * because the browser validates events.
 */
export function leanContract(): Plugin {
  return {
    name: 'trellis:lean-contract',
    apply: 'build',
    transform: {
      filter: { id: /packages\/contract\/src\/.+\.ts$/ },
      handler(code, id) {
        const program = this.parse(code) as unknown as { body: Node[] }
        const leaner = lean(code, program.body, id.endsWith('.endpoints.ts'))
        return { code: leaner, map: null, moduleSideEffects: false }
      },
    },
  }
}

function lean(code: string, body: readonly Node[], isOfCalls: boolean): string {
  const edits = body.flatMap(listConstantsIn).flatMap((value) => [
    ...(isOfCalls ? listEditsThatDrop(code, value) : []),
    ...(value.type === 'CallExpression'
      ? [
          { start: value.start, end: value.start, text: '/* @__PURE__ */ (() => ' },
          { start: value.end, end: value.end, text: ')()' },
        ]
      : []),
  ])
  return edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code)
}

function listConstantsIn(statement: Node): Node[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? (statement['declaration'] as Node | null) : statement
  if (declared?.type !== 'VariableDeclaration') return []
  return (declared['declarations'] as Node[]).flatMap(({ init }) => (init ? [init as Node] : []))
}

interface Edit {
  start: number
  end: number
  text: string
}

function listEditsThatDrop(code: string, value: Node): Edit[] {
  const [first] = value.type === 'CallExpression' ? (value['arguments'] as Node[]) : [value]
  if (first?.type !== 'ObjectExpression') return []
  const parts = (first['properties'] as Node[]).filter(({ type }) => type === 'Property')
  const getPartName = (part: Node) => (part['key'] as { name?: string }).name ?? ''
  const isOfEvents = parts.some(
    (part) => getPartName(part) === 'sends' && (part['value'] as { value?: unknown }).value === 'events',
  )
  return parts.flatMap((part): Edit[] => {
    const name = getPartName(part)
    // The presence of a body decides on a header.
    if (name === 'body') return [{ start: part.start, end: part.end, text: 'body: true' }]
    if (!UNUSED.has(name) && (name !== 'response' || isOfEvents)) return []
    const comma = /^\s*,/.exec(code.slice(part.end))?.[0] ?? ''
    return [{ start: part.start, end: part.end + comma.length, text: '' }]
  })
}

import { Lexer, isCollection, isMap, isPair, isScalar } from 'yaml'

/** Far above the largest dataflow. Each character may be an error to report. */
const MAX_TOKENS = 300_000
const MAX_DEPTH = 60
export const TOO_DEEP = 'The text is nested too deeply.'
export const TOO_LARGE = 'The text has too many parts for a dataflow.'

/** Checked before parsing, which is the slow part. */
export function hasTooManyTokens(text: string): boolean {
  let count = 0
  for (const _ of new Lexer().lex(text)) if ((count += 1) > MAX_TOKENS) return true
  return false
}

interface NodeProblem {
  readonly message: string
  readonly offset: number | undefined
}

export function findNodeProblem(contents: unknown): NodeProblem | undefined {
  const pendingNodes: [node: unknown, depth: number][] = [[contents, 0]]
  while (pendingNodes.length > 0) {
    const [node, depth] = pendingNodes.pop() ?? [undefined, 0]
    if (depth > MAX_DEPTH) return { message: TOO_DEEP, offset: getOffset(node) }
    const duplicateKey = isMap(node) ? findDuplicateKey(node.items) : undefined
    if (duplicateKey) return duplicateKey
    if (isPair(node)) pendingNodes.push([node.key, depth + 1], [node.value, depth + 1])
    else if (isCollection(node)) for (const item of node.items) pendingNodes.push([item, depth + 1])
  }
  return undefined
}

function findDuplicateKey(pairs: readonly unknown[]): NodeProblem | undefined {
  const seenKeys = new Set<unknown>()
  for (const pair of pairs) {
    const key = isPair(pair) && isScalar(pair.key) ? pair.key : undefined
    if (!key) continue
    if (seenKeys.has(key.value)) return { message: 'Map keys must be unique', offset: getOffset(key) }
    seenKeys.add(key.value)
  }
  return undefined
}

const getOffset = (node: unknown): number | undefined =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
    ? (node.range[0] as number)
    : undefined

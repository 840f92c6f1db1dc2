import { asToken, type Group, isGroup, isQuery, type Node } from './groups.ts'
import { isNameAfterDot } from './relations.ts'
import { isName, isSign, isWord, toName } from '@trellis/sql-grammar/tokens'

export interface NamedQuery {
  readonly name: string
  readonly columnNames: readonly string[] | null
  readonly query: Group
}

export interface QueryParts {
  readonly isRecursive: boolean
  readonly named: readonly NamedQuery[]
  readonly parts: readonly (readonly Node[])[]
}

export function readQueryParts(group: Group): QueryParts {
  const { nodes } = group
  const [only] = nodes
  if (nodes.length === 1 && isGroup(only) && isQuery(only)) return readQueryParts(only)
  const namedQueries: NamedQuery[] = []
  let at = 0
  let isRecursive = false
  if (isWord(asToken(nodes[0]), 'with')) {
    at = 1
    isRecursive = isWord(asToken(nodes[1]), 'recursive')
    if (isRecursive) at += 1
    for (;;) {
      const read = readNamedQuery(nodes, at)
      if (!read) break
      namedQueries.push(read.one)
      at = read.next
      if (!isSign(asToken(nodes[at]), ',')) break
      at += 1
    }
  }
  return { isRecursive, named: namedQueries, parts: splitAtSetOperators(nodes.slice(at)) }
}

function readNamedQuery(nodes: readonly Node[], first: number): { one: NamedQuery; next: number } | undefined {
  const name = asToken(nodes[first])
  if (!isName(name)) return undefined
  let at = first + 1
  const list = nodes[at]
  if (isGroup(list)) at += 1
  if (!isWord(asToken(nodes[at]), 'as')) return undefined
  at += 1
  while (isWord(asToken(nodes[at]), 'not', 'materialized')) at += 1
  const query = nodes[at]
  if (!isGroup(query)) return undefined
  const columnNames = isGroup(list) ? list.nodes.flatMap((node) => nameIn(node)) : null
  return { one: { name: toName(name), columnNames, query }, next: at + 1 }
}

const nameIn = (node: Node): string[] => {
  const token = asToken(node)
  return isName(token) ? [toName(token)] : []
}

function splitAtSetOperators(nodes: readonly Node[]): Node[][] {
  const parts: Node[][] = [[]]
  for (const [at, node] of nodes.entries()) {
    if (isWord(asToken(node), 'union', 'intersect', 'except') && !isNameAfterDot(nodes, at)) parts.push([])
    else parts.at(-1)?.push(node)
  }
  return parts.map((part) => (isWord(asToken(part[0]), 'all', 'distinct') ? part.slice(1) : part))
}

export function splitAtCommas(nodes: readonly Node[]): Node[][] {
  const pieces: Node[][] = [[]]
  for (const node of nodes) {
    if (isSign(asToken(node), ',')) pieces.push([])
    else pieces.at(-1)?.push(node)
  }
  return pieces
}

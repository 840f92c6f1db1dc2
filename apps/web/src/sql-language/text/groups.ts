import { isSign, isWord, type Token } from '@trellis/sql-grammar/tokens'

export interface Group {
  readonly isGroup: true
  readonly start: number
  readonly end: number
  readonly nodes: readonly Node[]
}

export type Node = Token | Group

export const isGroup = (node: Node | undefined): node is Group => node !== undefined && 'isGroup' in node
export const asToken = (node: Node | undefined): Token | undefined =>
  node === undefined || 'isGroup' in node ? undefined : node

const MAX_DEPTH = 200

/** An unclosed parenthesis reaches to the end; a surplus one is ignored. */
export function readGroups(tokens: readonly Token[], end: number): Group {
  let at = 0
  const read = (start: number, depth: number): Group => {
    const nodes: Node[] = []
    while (at < tokens.length) {
      const token = tokens[at] as Token
      at += 1
      if (isSign(token, '(') && depth < MAX_DEPTH) nodes.push(read(token.end, depth + 1))
      else if (isSign(token, ')') && depth > 0) return { isGroup: true, start, end: token.start, nodes }
      else if (!isSign(token, ')')) nodes.push(token)
    }
    return { isGroup: true, start, end, nodes }
  }
  return read(0, 0)
}

export const getOuterStart = (node: Node): number => node.start - (isGroup(node) ? 1 : 0)
export const getOuterEnd = (node: Node): number => node.end + (isGroup(node) ? 1 : 0)

export function listGroupsAt(root: Group, offset: number): Group[] {
  const path = [root]
  for (let group: Group | undefined = root; group;) {
    const inside: Group | undefined = group.nodes.find(
      (node): node is Group => isGroup(node) && node.start <= offset && offset <= node.end,
    )
    if (inside) path.push(inside)
    group = inside
  }
  return path
}

const BEGINNINGS = ['select', 'with', 'insert', 'update', 'delete', 'merge', 'values', 'table']

/** `( ( select …` is a query too. */
export function isQuery({ nodes }: Group): boolean {
  const [first] = nodes
  return isGroup(first) ? isQuery(first) : isWord(first, ...BEGINNINGS)
}

import { canBeAlias } from './keywords.ts'
import { asToken, type Group, isGroup, isQuery, type Node } from './groups.ts'
import { isName, isSign, isWord, type Token, toName } from '@trellis/sql-grammar/tokens'

export interface Relation {
  readonly alias: string
  readonly hasAlias: boolean
  readonly schema: string | null
  /** Null for a subquery, a function or VALUES. */
  readonly name: string | null
  readonly query: Group | null
  readonly columnNames: readonly string[] | null
  readonly start: number
  readonly end: number
  readonly isTarget: boolean
}

const ENDS = new Set(
  'where group having window order limit offset fetch for returning set values union intersect except select do'.split(
    ' ',
  ),
)

export function listRelations(nodes: readonly Node[]): Relation[] {
  const relations: Relation[] = []
  let isFrom = false
  let at = 0
  while (at < nodes.length) {
    const node = nodes[at] as Node
    const begins = findRelationStart(nodes, at, isFrom)
    if (begins !== null) {
      isFrom = begins.isFrom
      const read = readRelation(nodes, at + 1, begins.isTarget)
      if (read) {
        relations.push(...read.relations)
        at = read.next
        continue
      }
    } else if (isKeyword(nodes, at, ENDS)) isFrom = false
    else if (isGroup(node) && isFrom && isJoinGroup(node)) relations.push(...listRelations(toFrom(node.nodes)))
    at += 1
  }
  return relations
}

function findRelationStart(
  nodes: readonly Node[],
  at: number,
  isFrom: boolean,
): { isFrom: boolean; isTarget: boolean } | null {
  const token = asToken(nodes[at])
  if (!token || isNameAfterDot(nodes, at)) return null
  const before = asToken(nodes[at - 1])
  const isTarget = isWord(before, 'delete', 'insert', 'merge')
  if (isWord(token, 'from')) return isWord(before, 'distinct') ? null : { isFrom: true, isTarget }
  if (isWord(token, 'join')) return { isFrom: true, isTarget: false }
  if (isWord(token, 'into')) return isTarget ? { isFrom: false, isTarget } : null
  if (isWord(token, 'update'))
    return at === 0 || !isWord(before, 'do', 'for', 'on') ? { isFrom: false, isTarget: true } : null
  if (isWord(token, 'using')) return isGroup(nodes[at + 1]) && isFrom ? null : { isFrom: true, isTarget: false }
  return isFrom && isSign(token, ',') ? { isFrom: true, isTarget: false } : null
}

/** `o.from` is a column; in `o. from` the column is still missing. */
export function isNameAfterDot(nodes: readonly Node[], at: number): boolean {
  const token = asToken(nodes[at])
  const before = asToken(nodes[at - 1])
  return token !== undefined && isSign(before, '.') && before?.end === token.start
}

function isKeyword(nodes: readonly Node[], at: number, words: ReadonlySet<string>): boolean {
  const token = asToken(nodes[at])
  return token?.kind === 'word' && words.has(token.text.toLowerCase()) && !isNameAfterDot(nodes, at)
}

const isJoinGroup = (group: Group): boolean =>
  !isQuery(group) && group.nodes.some((node) => isWord(asToken(node), 'join'))

const FROM: Token = { kind: 'word', start: 0, end: 0, text: 'from', isOpen: false }
const toFrom = (nodes: readonly Node[]): Node[] => [FROM, ...nodes]

interface ReadRelation {
  readonly relations: readonly Relation[]
  readonly next: number
}

function readRelation(nodes: readonly Node[], first: number, isTarget: boolean): ReadRelation | undefined {
  let at = first
  while (isWord(asToken(nodes[at]), 'only', 'lateral')) at += 1
  const node = nodes[at]
  if (isGroup(node)) {
    if (isJoinGroup(node)) return { relations: listRelations(toFrom(node.nodes)), next: at + 1 }
    return finishRelation(nodes, at + 1, { schema: null, name: null, query: node, start: node.start - 1, isTarget })
  }
  const name = readName(nodes, at)
  if (!name) return undefined
  if (isGroup(nodes[name.next]) && !isTarget) {
    return finishRelation(nodes, name.next + 1, {
      schema: null,
      name: null,
      query: null,
      start: name.start,
      isTarget,
      fallback: name.parts.at(-1),
    })
  }
  const [table = '', schema = null] = name.parts.toReversed()
  return finishRelation(nodes, name.next, { schema, name: table, query: null, start: name.start, isTarget })
}

interface NameParts {
  readonly parts: readonly string[]
  readonly start: number
  readonly next: number
}

function readName(nodes: readonly Node[], first: number): NameParts | undefined {
  const head = asToken(nodes[first])
  if (!isName(head) || (head.kind === 'word' && !canBeAlias(toName(head)))) return undefined
  const parts = [toName(head)]
  let at = first + 1
  while (isSign(asToken(nodes[at]), '.')) {
    const part = asToken(nodes[at + 1])
    if (!isName(part) || (part.kind === 'word' && !isNameAfterDot(nodes, at + 1)))
      return { parts, start: head.start, next: at + 1 }
    parts.push(toName(part))
    at += 2
  }
  return { parts, start: head.start, next: at }
}

type Start = Pick<Relation, 'schema' | 'name' | 'query' | 'start' | 'isTarget'> & { fallback?: string | undefined }

function finishRelation(nodes: readonly Node[], first: number, begin: Start): ReadRelation {
  let at = first
  if (isWord(asToken(nodes[at]), 'with') && isWord(asToken(nodes[at + 1]), 'ordinality')) at += 2
  if (isWord(asToken(nodes[at]), 'as')) at += 1
  const token = asToken(nodes[at])
  const isAlias = isName(token) && (token.kind === 'quoted' || canBeAlias(toName(token)))
  const alias = isAlias ? toName(token) : (begin.name ?? begin.fallback ?? '')
  if (isAlias) at += 1
  const list = nodes[at]
  const isList = isAlias && isGroup(list) && !isQuery(list) && !begin.isTarget
  const last = nodes[at - 1]
  const { fallback: _, ...rest } = begin
  const relation: Relation = {
    ...rest,
    alias,
    hasAlias: isAlias,
    columnNames: isList ? list.nodes.flatMap((node) => toNames(node)) : null,
    end: (isGroup(last) ? last.end + 1 : last?.end) ?? begin.start,
  }
  return { relations: [relation], next: isList ? at + 1 : at }
}

const toNames = (node: Node): string[] => {
  const token = asToken(node)
  return isName(token) ? [toName(token)] : []
}

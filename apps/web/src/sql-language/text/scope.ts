import { type Catalogue, type Column, listColumns, type Table } from '../catalogue/catalogue.ts'
import {
  asToken,
  getOuterEnd,
  getOuterStart,
  type Group,
  isGroup,
  isQuery,
  listGroupsAt,
  type Node,
  readGroups,
} from './groups.ts'
import { canBeAlias } from './keywords.ts'
import { type NamedQuery, readQueryParts, splitAtCommas } from './query-parts.ts'
import { isNameAfterDot, listRelations, type Relation } from './relations.ts'
import { isName, isSign, isWord, type Token, toName } from '@trellis/sql-grammar/tokens'

export interface ScopeRelation extends Relation {
  readonly table: Table | undefined
  /** Undefined when unknown, such as those of a function. */
  readonly columns: readonly Column[] | undefined
  readonly isOuter: boolean
}

export interface Scope {
  readonly relations: readonly ScopeRelation[]
  readonly named: readonly ResolvedQuery[]
  readonly groups: readonly Group[]
  readonly part: readonly Node[]
}

interface ResolvedQuery {
  readonly name: string
  readonly columns: readonly Column[] | undefined
}

/** Works for incomplete statements too. */
export function findScope(tokens: readonly Token[], offset: number, catalogue: Catalogue): Scope {
  const root = readGroups(tokens, Math.max(offset, tokens.at(-1)?.end ?? 0))
  const groups = listGroupsAt(root, offset)
  const relations: ScopeRelation[] = []
  let namedResolvedQueries: readonly ResolvedQuery[] = []
  let innermost: readonly Node[] = root.nodes
  let visible: { relations: ScopeRelation[]; isHidden: boolean }[] = []
  for (const [depth, group] of groups.entries()) {
    if (depth > 0 && !isQuery(group)) continue
    const query = readQueryParts(group)
    namedResolvedQueries = resolveNamed(query, { offset, known: namedResolvedQueries, catalogue })
    const part = query.parts.find((nodes) => contains(nodes, offset)) ?? query.parts.at(-1) ?? []
    innermost = part
    const found = listRelations(part)
    const inside = groups.slice(depth + 1)
    const isDerived = found.some(({ query: from }) => from !== null && inside.includes(from))
    const knownResolvedQueries = namedResolvedQueries
    visible.push({
      relations: found.map((relation) => resolve(relation, { named: knownResolvedQueries, catalogue, depth: 0 })),
      isHidden: isDerived,
    })
    // A common table expression does not see the surrounding query.
    if (query.named.some((other) => inside.includes(other.query))) visible = []
  }
  for (const [at, level] of visible.toReversed().entries()) {
    if (at > 0 && level.isHidden) continue
    relations.push(...level.relations.map((relation) => ({ ...relation, isOuter: at > 0 })))
  }
  return { relations, named: namedResolvedQueries, groups, part: innermost }
}

const contains = (nodes: readonly Node[], offset: number): boolean => {
  const [first] = nodes
  const last = nodes.at(-1)
  return first !== undefined && last !== undefined && getOuterStart(first) <= offset && offset <= getOuterEnd(last)
}

interface Naming {
  readonly offset: number
  readonly known: readonly ResolvedQuery[]
  readonly catalogue: Catalogue
}

function resolveNamed(
  { named, isRecursive }: { named: readonly NamedQuery[]; isRecursive: boolean },
  { offset, known, catalogue }: Naming,
): readonly ResolvedQuery[] {
  let resolved = known
  for (const query of named) {
    const isInside = query.query.start <= offset && offset <= query.query.end
    if (isInside && !isRecursive) break
    const columns = nameColumns(listOutput(query.query, { named: resolved, catalogue, depth: 0 }), query.columnNames)
    resolved = [{ name: query.name, columns }, ...resolved]
    if (isInside) break
  }
  return resolved
}

const MAX_DEPTH = 20

interface ScopeContext {
  readonly named: readonly ResolvedQuery[]
  readonly catalogue: Catalogue
  readonly depth: number
}

function resolve(relation: Relation, around: ScopeContext): ScopeRelation {
  const base = { ...relation, isOuter: false }
  const { name, schema, query, columnNames } = relation
  if (query) {
    const columns = listOutput(query, { ...around, depth: around.depth + 1 })
    return { ...base, table: undefined, columns: nameColumns(columns, columnNames) }
  }
  if (name === null) return { ...base, table: undefined, columns: nameColumns(undefined, columnNames) }
  const common = schema === null ? around.named.find((resolvedQuery) => resolvedQuery.name === name) : undefined
  if (common) return { ...base, table: undefined, columns: nameColumns(common.columns, columnNames) }
  const table = around.catalogue.findTable(schema, name)
  return { ...base, table, columns: nameColumns(table && listColumns(table), columnNames) }
}

/** `as t (a, b)` renames the first columns. */
function nameColumns(
  columns: readonly Column[] | undefined,
  names: readonly string[] | null,
): readonly Column[] | undefined {
  if (!names) return columns
  const rest = (columns ?? []).slice(names.length)
  return [...names.map((name, at) => ({ name, type: columns?.[at]?.type ?? null, comment: null })), ...rest]
}

/** Output columns, or undefined when one is unknown. */
function listOutput(group: Group, { named: outer, catalogue, depth }: ScopeContext): Column[] | undefined {
  if (depth > MAX_DEPTH) return undefined
  const query = readQueryParts(group)
  const namedResolvedQueries = resolveNamed(query, { offset: -1, known: outer, catalogue })
  const [part = []] = query.parts
  const returning = part.findIndex((node) => isWord(asToken(node), 'returning'))
  const isSelect = isWord(asToken(part[0]), 'select')
  if (!isSelect && returning === -1) {
    const values = part[1]
    if (!isWord(asToken(part[0]), 'values') || !isGroup(values)) return undefined
    return splitAtCommas(values.nodes).map((_, at) => ({ name: `column${at + 1}`, type: null, comment: null }))
  }
  const list = readSelectList(part.slice((isSelect ? 0 : returning) + 1))
  const relations = listRelations(part).map((relation) =>
    resolve(relation, { named: namedResolvedQueries, catalogue, depth }),
  )
  const output: Column[] = []
  for (const piece of splitAtCommas(list)) {
    const columns = readOutputColumns(piece, relations)
    if (!columns) return undefined
    output.push(...columns)
  }
  return output
}

const LIST_ENDS = 'from where group having window order limit offset fetch for into'.split(' ')

function readSelectList(nodes: readonly Node[]): readonly Node[] {
  let first = 0
  if (isWord(asToken(nodes[0]), 'all', 'distinct')) first = 1
  if (isWord(asToken(nodes[1]), 'on') && isGroup(nodes[2])) first = 3
  const end = nodes.findIndex(
    (node, at) =>
      at >= first &&
      isWord(asToken(node), ...LIST_ENDS) &&
      !isNameAfterDot(nodes, at) &&
      !isWord(asToken(nodes[at - 1]), 'distinct'),
  )
  return nodes.slice(first, end === -1 ? undefined : end)
}

function readOutputColumns(piece: readonly Node[], relations: readonly ScopeRelation[]): Column[] | undefined {
  const last = asToken(piece.at(-1))
  const before = asToken(piece.at(-2))
  if (!last && piece.length === 0) return []
  if (isSign(last, '*')) {
    const owner = asToken(piece.at(-3))
    const of = isName(owner) ? relations.filter(({ alias }) => alias === toName(owner)) : relations
    return of.every(({ columns }) => columns) ? of.flatMap(({ columns }) => [...(columns ?? [])]) : undefined
  }
  if (isName(last)) {
    const name = toName(last)
    const isAlias = isWord(before, 'as') || (piece.length > 1 && !isSign(before, '.') && canBeAlias(name))
    const knownColumn = isAlias && piece.length > 2 ? undefined : findColumn(piece, relations)
    return [{ name, type: knownColumn?.type ?? null, comment: knownColumn?.comment ?? null }]
  }
  // `count(*)` and `(select …)::text` are named after the function or type, else `?column?`.
  const called = isGroup(piece.at(-1)) ? before : undefined
  return [{ name: isName(called) ? toName(called) : '?column?', type: null, comment: null }]
}

function findColumn(piece: readonly Node[], relations: readonly ScopeRelation[]): Column | undefined {
  const names = piece.flatMap((node) => {
    const token = asToken(node)
    return isName(token) ? [toName(token)] : []
  })
  const [name = '', owner] = names.toReversed()
  const of = owner === undefined ? relations : relations.filter(({ alias }) => alias === owner)
  return of.flatMap(({ columns }) => columns ?? []).find((column) => column.name === name)
}

import type { ColumnRef, FuncCall, Node, ResTarget, SelectStmt, WithClause } from 'libpg-query'
import { type FoundReferences, recordTableUse } from './found.ts'
import { type Scope, createScope, readColumn } from './scope.ts'
import { walkChange } from './walk-change.ts'
import { type QueryWalk, listNames, walkFrom } from './walk-from.ts'

export function createQueryWalk(references: FoundReferences): QueryWalk {
  const walk: QueryWalk = {
    found: references,
    expression: (node, scope) => walkExpression(walk, node, scope),
    query: (node, parent) => walkQuery(walk, node, parent),
  }
  return walk
}

function walkQuery(walk: QueryWalk, node: Node, parent: Scope | undefined): readonly string[] | undefined {
  if ('SelectStmt' in node) return walkSelect(walk, node.SelectStmt, parent)
  return walkChange(walk, node, (clause) => walkWith(walk, clause, parent))
}

function walkExpression(walk: QueryWalk, node: unknown, scope: Scope): void {
  if (Array.isArray(node)) {
    for (const item of node) walkExpression(walk, item, scope)
    return
  }
  if (node === null || typeof node !== 'object') return
  for (const [type, value] of Object.entries(node)) {
    if (type === 'SelectStmt') walk.query(node as Node, scope)
    else if (type === 'ColumnRef') readColumn(value as ColumnRef, scope)
    else {
      if (type === 'FuncCall') addFunctionCall(walk.found, value as FuncCall)
      walkExpression(walk, value, scope)
    }
  }
}

export function addFunctionCall(references: FoundReferences, { funcname, location }: FuncCall): void {
  const [name = '', schema = null] = listNames(funcname).toReversed()
  references.functions.push({ schema, name, position: references.toOffset(location) })
}

function walkWith(walk: QueryWalk, clause: WithClause | undefined, parent: Scope | undefined): Scope {
  const scope = createScope(parent)
  for (const cte of clause?.ctes ?? []) {
    if (!('CommonTableExpr' in cte)) continue
    const { ctename = '', ctequery, aliascolnames } = cte.CommonTableExpr
    if (clause?.recursive) scope.commonTables.set(ctename, undefined)
    const given = ctequery && walk.query(ctequery, scope)
    const namedNames = listNames(aliascolnames)
    scope.commonTables.set(ctename, given && [...namedNames, ...given.slice(namedNames.length)])
  }
  return scope
}

function walkSelect(walk: QueryWalk, select: SelectStmt, parent: Scope | undefined): readonly string[] | undefined {
  const around = walkWith(walk, select.withClause, parent)
  const scope = createScope(around)
  if (select.intoClause?.rel) {
    const createdTableUse = recordTableUse(walk.found, select.intoClause.rel)
    createdTableUse.isDefined = true
    createdTableUse.isWritten = true
  }
  if (select.larg && select.rarg) {
    const columns = walkSelect(walk, select.larg, around)
    walkSelect(walk, select.rarg, around)
    walkSorting(walk, select.sortClause, { scope, outputs: new Set(columns) })
    return columns
  }
  walkFrom(walk, select.fromClause, scope)
  const targets = listTargets(select.targetList)
  walk.expression(
    targets.map(({ val }) => val),
    scope,
  )
  const { valuesLists, whereClause, havingClause, windowClause, limitOffset, limitCount, distinctClause } = select
  walk.expression([valuesLists, whereClause, havingClause, windowClause, limitOffset, limitCount], scope)
  const outputs = new Set(targets.flatMap(({ name }) => (name === undefined ? [] : [name])))
  walkSorting(walk, [...(select.sortClause ?? []), ...(distinctClause ?? [])], { scope, outputs })
  // GROUP BY prefers an input column to an output column of the same name.
  const grouped = new Set(
    [...outputs].filter((name) => !scope.relations.some(({ columns }) => columns?.includes(name))),
  )
  walkSorting(walk, select.groupClause, { scope, outputs: grouped })
  if (valuesLists) return undefined
  return toOutputNames(targets)
}

const listTargets = (nodes: readonly Node[] | undefined): ResTarget[] =>
  (nodes ?? []).flatMap((node) => ('ResTarget' in node ? [node.ResTarget] : []))

/** An output column name in ORDER BY was read where it is defined. */
function walkSorting(
  walk: QueryWalk,
  nodes: readonly Node[] | undefined,
  { scope, outputs }: { scope: Scope; outputs: ReadonlySet<string> },
): void {
  for (const node of nodes ?? []) {
    const inner = 'SortBy' in node ? node.SortBy.node : node
    const names = inner && 'ColumnRef' in inner ? listNames(inner.ColumnRef.fields) : []
    if (names.length === 1 && outputs.has(names[0] as string)) continue
    walk.expression(inner, scope)
  }
}

function toOutputNames(targets: readonly ResTarget[]): string[] | undefined {
  const names: string[] = []
  for (const { name, val } of targets) {
    const fields = val && 'ColumnRef' in val ? (val.ColumnRef.fields ?? []) : []
    if (fields.some((field) => 'A_Star' in field)) return undefined
    names.push(name ?? listNames(fields).at(-1) ?? toCallName(val) ?? '?column?')
  }
  return names
}

const toCallName = (node: Node | undefined): string | undefined =>
  node && 'FuncCall' in node ? listNames(node.FuncCall.funcname).at(-1) : undefined

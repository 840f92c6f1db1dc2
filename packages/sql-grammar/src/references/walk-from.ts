import type { Alias, JoinExpr, Node, RangeFunction, RangeVar } from 'libpg-query'
import { type FoundReferences, type TableUse, recordTableUse } from './found.ts'
import { type Relation, type Scope, findCommonTable, readColumn, readWholeRow } from './scope.ts'

/** Passed in, since an import would be circular. */
export interface QueryWalk {
  readonly found: FoundReferences
  expression(node: unknown, scope: Scope): void
  query(node: Node, parent: Scope | undefined): readonly string[] | undefined
}

export function walkFrom(walk: QueryWalk, items: readonly Node[] | undefined, scope: Scope): void {
  for (const item of items ?? []) addItem(walk, item, scope)
}

function addItem(walk: QueryWalk, item: Node, scope: Scope): void {
  if ('RangeVar' in item) addTable(walk, item.RangeVar, scope)
  else if ('JoinExpr' in item) addJoin(walk, item.JoinExpr, scope)
  else if ('RangeSubselect' in item) {
    const { subquery, lateral, alias } = item.RangeSubselect
    const columns = subquery && walk.query(subquery, lateral ? scope : scope.parent)
    addDerived(scope, { alias, columns })
  } else if ('RangeFunction' in item) addFunction(walk, item.RangeFunction, scope)
  else if ('RangeTableSample' in item) {
    const { relation, args, repeatable } = item.RangeTableSample
    if (relation) addItem(walk, relation, scope)
    walk.expression([args, repeatable], scope)
  } else {
    walk.expression(item, scope)
    const [inner] = Object.values(item) as [{ alias?: Alias }]
    addDerived(scope, { alias: inner.alias, columns: undefined })
  }
}

function addTable({ found }: QueryWalk, range: RangeVar, scope: Scope): void {
  const common = range.schemaname === undefined ? findCommonTable(scope, range.relname ?? '') : undefined
  if (common) {
    addDerived(scope, { alias: range.alias ?? { aliasname: range.relname ?? '' }, columns: common.columns })
    return
  }
  const table = recordTableUse(found, range)
  table.isRead = true
  scope.relations.push(toRelation(range, table))
}

export function toRelation({ schemaname, relname = '', alias }: RangeVar, table: TableUse): Relation {
  const renamedNames = listNames(alias?.colnames)
  return {
    schema: alias ? null : (schemaname ?? table.schema),
    alias: alias?.aliasname ?? relname,
    tables: [table],
    columns: renamedNames.length > 0 ? undefined : table.known,
    ...(renamedNames.length > 0 && { isRenamed: true }),
  }
}

interface DerivedTable {
  readonly alias: Alias | undefined
  readonly columns: readonly string[] | undefined
}

function addDerived(scope: Scope, { alias, columns }: DerivedTable): void {
  const namedNames = listNames(alias?.colnames)
  scope.relations.push({
    schema: null,
    alias: alias?.aliasname ?? '',
    tables: [],
    columns:
      columns && columns.length >= namedNames.length ? [...namedNames, ...columns.slice(namedNames.length)] : undefined,
  })
}

function addJoin(walk: QueryWalk, join: JoinExpr, scope: Scope): void {
  const before = scope.relations.length
  for (const side of [join.larg, join.rarg]) if (side) addItem(walk, side, scope)
  const joinedRelations = scope.relations.slice(before)
  if (join.isNatural) for (const relation of joinedRelations) readWholeRow(relation)
  for (const column of listNames(join.usingClause)) {
    for (const { alias } of joinedRelations) readColumn({ fields: [toText(alias), toText(column)] }, scope)
  }
  walk.expression(join.quals, scope)
  const alias = join.alias ?? join.join_using_alias
  if (!alias) return
  const tables = joinedRelations.flatMap((relation) => relation.tables)
  const relation = { schema: null, alias: alias.aliasname ?? '', tables, columns: undefined, isRenamed: true }
  // An alias of the whole join hides the inner names, one of USING does not.
  if (join.alias) scope.relations.splice(before, joinedRelations.length, relation)
  else scope.relations.push({ ...relation, columns: [] })
}

function addFunction(walk: QueryWalk, { functions, alias, coldeflist }: RangeFunction, scope: Scope): void {
  walk.expression(functions, scope)
  const own = coldeflist?.flatMap((column) => ('ColumnDef' in column ? [column.ColumnDef.colname ?? ''] : []))
  const namedNames = listNames(alias?.colnames)
  scope.relations.push({
    schema: null,
    alias: alias?.aliasname ?? '',
    tables: [],
    columns: own ?? (namedNames.length > 0 ? namedNames : undefined),
  })
}

const toText = (text: string): Node => ({ String: { sval: text } })

export const listNames = (nodes: readonly Node[] | undefined): string[] =>
  (nodes ?? []).flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []))

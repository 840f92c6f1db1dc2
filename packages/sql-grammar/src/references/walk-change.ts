import type { Node, RangeVar, ReturningClause, WithClause } from 'libpg-query'
import { type TableUse, recordTableUse } from './found.ts'
import { type Relation, type Scope, createScope } from './scope.ts'
import { type QueryWalk, toRelation, walkFrom } from './walk-from.ts'

type WalkWith = (clause: WithClause | undefined) => Scope

export function walkChange(walk: QueryWalk, node: Node, walkWith: WalkWith): readonly string[] | undefined {
  if ('InsertStmt' in node) {
    const { relation, cols, selectStmt, onConflictClause, withClause, returningClause } = node.InsertStmt
    const around = walkWith(withClause)
    const target = markWriteTarget(walk, relation)
    if (selectStmt) walk.query(selectStmt, around)
    if (cols) markWrittenColumns(target, cols)
    else target.use.writesAllColumns = true
    const scope = createScope(around)
    scope.relations.push(target.relation)
    if (onConflictClause) {
      const { targetList = [], infer, whereClause } = onConflictClause
      markWrittenColumns(target, targetList)
      const conflict = createScope(around)
      // `excluded` is the row to be inserted, so it reads nothing of the table.
      conflict.relations.push({ schema: null, alias: 'excluded', tables: [], columns: [] }, target.relation)
      walk.expression([listValues(targetList), whereClause], conflict)
      walk.expression(infer, scope)
    }
    return walkReturning(walk, returningClause, scope)
  }
  if ('UpdateStmt' in node) {
    const { relation, targetList = [], whereClause, fromClause, withClause, returningClause } = node.UpdateStmt
    const around = walkWith(withClause)
    const target = markWriteTarget(walk, relation)
    markWrittenColumns(target, targetList)
    const scope = createScope(around)
    scope.relations.push(target.relation)
    walkFrom(walk, fromClause, scope)
    walk.expression([listValues(targetList), whereClause], scope)
    return walkReturning(walk, returningClause, scope)
  }
  if ('DeleteStmt' in node) {
    const { relation, usingClause, whereClause, withClause, returningClause } = node.DeleteStmt
    const around = walkWith(withClause)
    const target = markWriteTarget(walk, relation)
    const scope = createScope(around)
    scope.relations.push(target.relation)
    walkFrom(walk, usingClause, scope)
    walk.expression(whereClause, scope)
    return walkReturning(walk, returningClause, scope)
  }
  if ('MergeStmt' in node) {
    const { relation, sourceRelation, joinCondition, mergeWhenClauses, withClause, returningClause } = node.MergeStmt
    const around = walkWith(withClause)
    const target = markWriteTarget(walk, relation)
    const scope = createScope(around)
    scope.relations.push(target.relation)
    walkFrom(walk, sourceRelation && [sourceRelation], scope)
    walk.expression(joinCondition, scope)
    for (const clause of mergeWhenClauses ?? []) {
      if (!('MergeWhenClause' in clause)) continue
      const { targetList, values, condition, commandType } = clause.MergeWhenClause
      if (targetList) markWrittenColumns(target, targetList)
      else if (commandType === 'CMD_INSERT') target.use.writesAllColumns = true
      walk.expression([listValues(targetList ?? []), values, condition], scope)
    }
    return walkReturning(walk, returningClause, scope)
  }
  return undefined
}

interface Target {
  readonly use: TableUse
  readonly relation: Relation
}

function markWriteTarget({ found }: QueryWalk, range: RangeVar = {}): Target {
  const use = recordTableUse(found, range)
  use.isWritten = true
  return { use, relation: toRelation(range, use) }
}

function markWrittenColumns({ use }: Target, targets: readonly Node[]): void {
  for (const node of targets)
    if ('ResTarget' in node && node.ResTarget.name) use.writtenColumns.add(node.ResTarget.name)
}

const listValues = (targets: readonly Node[]): unknown[] =>
  targets.flatMap((node) => ('ResTarget' in node ? [node.ResTarget.val, node.ResTarget.indirection] : []))

function walkReturning(
  walk: QueryWalk,
  clause: ReturningClause | undefined,
  scope: Scope,
): readonly string[] | undefined {
  if (!clause) return undefined
  const [target] = scope.relations
  const names = (clause.options ?? []).flatMap((option) =>
    'ReturningOption' in option && option.ReturningOption.value ? [option.ReturningOption.value] : [],
  )
  const returned = createScope(scope.parent)
  returned.relations.push(...scope.relations)
  // Without columns, so that an unqualified name is found once, in the target.
  if (target) for (const alias of ['old', 'new', ...names]) returned.relations.push({ ...target, alias, columns: [] })
  walk.expression(clause.exprs, returned)
  return undefined
}

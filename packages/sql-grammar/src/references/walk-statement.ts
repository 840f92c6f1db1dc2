import type { FuncCall, Node, RangeVar } from 'libpg-query'
import { type FoundReferences, type TableUse, recordTableUse } from './found.ts'
import { createScope } from './scope.ts'
import { type QueryWalk, listNames } from './walk-from.ts'
import { addFunctionCall } from './walk-query.ts'

type Access = 'isRead' | 'isWritten' | 'isDefined'

const QUERIES = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'])
const READERS = new Set(['LockStmt', 'VacuumStmt', 'ExplainStmt', 'DeclareCursorStmt', 'PrepareStmt'])
const WRITERS = new Set(['TruncateStmt', 'RefreshMatViewStmt'])
const TABLE_OBJECTS = new Set([
  'OBJECT_TABLE',
  'OBJECT_VIEW',
  'OBJECT_MATVIEW',
  'OBJECT_FOREIGN_TABLE',
  'OBJECT_SEQUENCE',
])
const OBJECTS_OF_TABLE = new Set([
  'OBJECT_COLUMN',
  'OBJECT_TABCONSTRAINT',
  'OBJECT_TRIGGER',
  'OBJECT_POLICY',
  'OBJECT_RULE',
])

export function walkStatement(walk: QueryWalk, node: Node): void {
  const [type = ''] = Object.keys(node)
  const { found } = walk
  if (QUERIES.has(type)) {
    walk.query(node, undefined)
    return
  }
  if (type === 'DoStmt' || type === 'ExecuteStmt') found.isOpaque = true
  if ('CreateFunctionStmt' in node && !node.CreateFunctionStmt.sql_body) found.isOpaque = true
  if ('CopyStmt' in node) walkCopy(found, node.CopyStmt)
  if ('DropStmt' in node) {
    const { objects = [], removeType = '' } = node.DropStmt
    for (const object of objects) defineObject(found, object, removeType)
    return
  }
  if ('CommentStmt' in node) {
    if (node.CommentStmt.object) defineObject(found, node.CommentStmt.object, node.CommentStmt.objtype ?? '')
    return
  }
  const access = READERS.has(type) ? 'isRead' : WRITERS.has(type) ? 'isWritten' : 'isDefined'
  walkTree(walk, Object.values(node)[0], access)
}

function walkCopy(
  references: FoundReferences,
  { relation, attlist, is_from }: { relation?: RangeVar; attlist?: Node[]; is_from?: boolean },
) {
  if (!relation) return
  const table = recordTableUse(references, relation)
  const columns = listNames(attlist)
  if (is_from) {
    table.isWritten = true
    if (columns.length === 0) table.writesAllColumns = true
    for (const column of columns) table.writtenColumns.add(column)
    return
  }
  table.isRead = true
  if (columns.length === 0) table.readsAllColumns = true
  for (const column of columns) table.columns.add(column)
}

function walkTree(walk: QueryWalk, value: unknown, access: Access): void {
  if (Array.isArray(value)) {
    for (const item of value) walkTree(walk, item, access)
    return
  }
  if (value === null || typeof value !== 'object') return
  for (const [key, inner] of Object.entries(value)) {
    if (QUERIES.has(key)) walk.query({ [key]: inner } as Node, createScope(undefined))
    else if (key === 'FuncCall' || key === 'funccall') {
      addFunctionCall(walk.found, inner as FuncCall)
      walkTree(walk, inner, access)
    } else if (isRange(inner)) mark(recordTableUse(walk.found, inner), key === 'pktable' ? 'isRead' : access)
    else if (key === 'inhRelations' || key === 'TableLikeClause') walkTree(walk, inner, 'isRead')
    else walkTree(walk, inner, access)
  }
}

const mark = (table: TableUse, access: Access) => {
  if (access !== 'isDefined' || (!table.isRead && !table.isWritten)) table[access] = true
}

const isRange = (value: unknown): value is RangeVar =>
  value !== null && typeof value === 'object' && 'relname' in value && 'relpersistence' in value

function defineObject(references: FoundReferences, object: Node, type: string): void {
  if (!('List' in object)) return
  const names = listNames(object.List.items)
  const own = OBJECTS_OF_TABLE.has(type) ? names.slice(0, -1) : TABLE_OBJECTS.has(type) ? names : []
  const [relname, schemaname] = own.toReversed()
  if (relname === undefined) return
  recordTableUse(references, { relname, ...(schemaname !== undefined && { schemaname }) }).isDefined = true
}

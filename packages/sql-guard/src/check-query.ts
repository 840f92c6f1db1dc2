import { listReferences } from '@trellis/sql-grammar/list-references'
import { type SqlStatement, parseSql } from '@trellis/sql-grammar/parse'
import { createTableFinder } from '@trellis/sql-grammar/table-finder'
import { ALLOWED_NODES, ALLOWED_VALUE_FUNCTIONS, FORBIDDEN_FIELDS, FORBIDDEN_TYPES } from './allowed-nodes.ts'

type RefusalCode =
  | 'syntax'
  | 'not_one_statement'
  | 'not_a_query'
  | 'clause_not_allowed'
  | 'function_not_allowed'
  | 'table_not_in_scope'
  | 'too_expensive'
  | 'no_right'

export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  readonly hint: string | null
  readonly position: number | null
}

export interface ScopeTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
}

export interface QueryScope {
  readonly tables: readonly ScopeTable[]
  readonly functions: ReadonlySet<string>
}

interface CheckedQuery {
  readonly tables: readonly { readonly schema: string; readonly name: string }[]
  readonly isExplain: boolean
}

export type QueryCheck =
  | { readonly isAllowed: true; readonly query: CheckedQuery }
  | { readonly isAllowed: false; readonly refusal: Refusal }

/** The database role enforces this; the check explains it beforehand. */
export async function checkQuery(sql: string, scope: QueryScope): Promise<QueryCheck> {
  const parsed = await parseSql(sql)
  const [fault] = parsed.errors
  if (fault) return refuse('syntax', fault.message, { position: fault.position })
  const [statement, second] = parsed.statements
  if (!statement) return refuse('not_one_statement', 'There is no statement in this text.')
  if (second) {
    return refuse('not_one_statement', 'Only one statement can be run at a time.', { position: second.start })
  }
  if (statement.type !== 'SelectStmt' && statement.type !== 'ExplainStmt') {
    return refuse('not_a_query', 'Only queries that read can be run here: SELECT, WITH, VALUES or EXPLAIN.', {
      position: statement.start,
    })
  }
  const refusal = findRefusedPart(statement, scope) ?? findRefusedTable(statement, scope)
  if (refusal) return { isAllowed: false, refusal }
  const { tables } = listReferences(statement, { findTable: toFinder(scope) })
  return {
    isAllowed: true,
    query: {
      tables: tables.flatMap(({ schema, name }) => (schema === null ? [] : { schema, name })),
      isExplain: statement.type === 'ExplainStmt',
    },
  }
}

const toFinder = ({ tables }: QueryScope) =>
  createTableFinder({ tables, searchPath: [...new Set(tables.map(({ schema }) => schema))] })

interface Details {
  readonly hint?: string
  readonly position?: number | null
}

function toRefusal(code: RefusalCode, message: string, { hint, position }: Details = {}): Refusal {
  return { code, message, hint: hint ?? null, position: position ?? null }
}

const refuse = (code: RefusalCode, message: string, details?: Details): QueryCheck => ({
  isAllowed: false,
  refusal: toRefusal(code, message, details),
})

function findRefusedPart(statement: SqlStatement, scope: QueryScope): Refusal | undefined {
  const pending: unknown[] = [statement.node]
  while (pending.length > 0) {
    const value = pending.pop()
    if (Array.isArray(value)) {
      pending.push(...(value as unknown[]))
      continue
    }
    if (value === null || typeof value !== 'object') continue
    for (const [key, inner] of Object.entries(value)) {
      const clause = FORBIDDEN_FIELDS[key]
      if (clause !== undefined) return toRefusal('clause_not_allowed', `${clause} Only reading is allowed here.`)
      if (/^[A-Z]/.test(key)) {
        const refusal = validateNode(key, inner as TreeNode, { statement, scope })
        if (refusal) return refusal
      } else if (key === 'typeName') {
        const refusal = validateType(inner as TreeNode, statement)
        if (refusal) return refusal
      }
      pending.push(inner)
    }
  }
  return undefined
}

interface TreeNode {
  readonly location?: number
  readonly funcname?: readonly { String?: { sval?: string } }[]
  readonly names?: readonly { String?: { sval?: string } }[]
  readonly name?: readonly { String?: { sval?: string } }[] | string
  readonly op?: string
  readonly defname?: string
}

const toNameParts = (list: TreeNode['names']): string[] => (list ?? []).map((part) => part.String?.sval ?? '')

function validateNode(
  kind: string,
  node: TreeNode,
  { statement, scope }: { statement: SqlStatement; scope: QueryScope },
): Refusal | undefined {
  const position = node.location === undefined ? null : statement.toOffset(node.location)
  if (!ALLOWED_NODES.has(kind)) {
    return toRefusal('clause_not_allowed', `This kind of statement or clause is not allowed here (${kind}).`, {
      position,
    })
  }
  if (kind === 'FuncCall') return checkFunction(toNameParts(node.funcname), { position, scope })
  if (kind === 'TypeName') return validateType(node, statement)
  if (kind === 'SQLValueFunction' && !ALLOWED_VALUE_FUNCTIONS.has(node.op ?? '')) {
    return toRefusal('function_not_allowed', 'Names of roles and databases can not be asked for here.', { position })
  }
  if (kind === 'A_Expr' && Array.isArray(node.name)) {
    const [schema, name] = toNameParts(node.name as TreeNode['names'])
    if (name !== undefined && schema !== 'pg_catalog') {
      return toRefusal('function_not_allowed', 'Only operators of Postgres itself are allowed here.', { position })
    }
  }
  if (kind === 'DefElem' && !['format', 'costs', 'verbose', 'settings', 'summary'].includes(node.defname ?? '')) {
    return toRefusal('clause_not_allowed', 'EXPLAIN can not be used with ANALYZE here: that would run the statement.')
  }
  return undefined
}

function checkFunction(
  name: readonly string[],
  { position, scope }: { position: number | null; scope: QueryScope },
): Refusal | undefined {
  const [first = '', second] = name
  const isBuiltIn = second === undefined || first === 'pg_catalog'
  if (isBuiltIn && name.length <= 2 && scope.functions.has(second ?? first)) return undefined
  return toRefusal('function_not_allowed', `The function ${name.join('.')}() is not allowed here.`, {
    position,
    hint: 'Functions of Postgres that only compute are allowed; your own functions are not.',
  })
}

function validateType(node: TreeNode, statement: SqlStatement): Refusal | undefined {
  const name = toNameParts(node.names)
  const [first = '', second] = name
  const isBuiltIn = second === undefined || first === 'pg_catalog'
  if (isBuiltIn && !FORBIDDEN_TYPES.test(second ?? first)) return undefined
  const position = node.location === undefined ? null : statement.toOffset(node.location)
  return toRefusal('clause_not_allowed', `A cast to ${name.join('.')} is not allowed here.`, { position })
}

const MAX_HINTED = 8

function findRefusedTable(statement: SqlStatement, scope: QueryScope): Refusal | undefined {
  const inScope = new Set(scope.tables.map(({ schema, name }) => JSON.stringify([schema, name])))
  const { tables, isOpaque } = listReferences(statement, { findTable: toFinder(scope) })
  if (isOpaque) return toRefusal('clause_not_allowed', 'Code inside a text is not allowed here.')
  const outside = tables.find(({ schema, name }) => !inScope.has(JSON.stringify([schema, name])))
  if (!outside) return undefined
  const name = outside.schema === null ? outside.name : `${outside.schema}.${outside.name}`
  const names = scope.tables.slice(0, MAX_HINTED).map((table) => `${table.schema}.${table.name}`)
  return toRefusal('table_not_in_scope', `There is no table ${name} among those that may be read here.`, {
    hint: names.length === 0 ? 'No table was chosen yet.' : `Tables that may be read: ${names.join(', ')}`,
    position: outside.positions[0] ?? null,
  })
}

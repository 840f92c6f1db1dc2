import { listReferences } from '@trellis/sql-grammar/list-references'
import { parseSql, type SqlStatement } from '@trellis/sql-grammar/parse'
import { type Catalogue, listColumns } from '../catalogue/catalogue.ts'
import { asToken } from '../text/groups.ts'
import { quoteName } from '../text/keywords.ts'
import { RESULT_SCHEMA } from '../text/result-names.ts'
import { findScope, type Scope, type ScopeRelation } from '../text/scope.ts'
import { listStatements } from '@trellis/sql-grammar/split'
import { isName, isWord, readTokens, type Token, toName } from '@trellis/sql-grammar/tokens'
import { findNearestName } from './nearest-name.ts'
import { toParsable } from './parsable.ts'

export interface Diagnostic {
  readonly start: number
  readonly end: number
  readonly message: string
  readonly severity: 'error' | 'warning'
  readonly replacement: string | null
}

/** Longer texts are checked by Postgres only, when they run. */
const MAX_LENGTH = 300_000
const MAX_FOUND = 50
const MAX_KEPT = 2000
/** Yield to completion requests after this. */
const YIELD_AFTER_MS = 15

interface StatementFaults {
  readonly faults: readonly (Diagnostic & { readonly table: string | null })[]
  readonly defined: readonly string[]
}

/**
 * Syntax errors by PostgreSQL's parser, and unknown tables and columns. Unchanged statements are cached, so that a
 * keystroke costs one statement.
 */
export function createDiagnoser(catalogue: Catalogue, pause: () => Promise<void>) {
  let kept = new Map<string, StatementFaults>()
  return async (sql: string): Promise<Diagnostic[]> => {
    if (sql.length > MAX_LENGTH) return []
    const text = toParsable(sql)
    const diagnostics: Diagnostic[] = []
    const defined = new Set<string>()
    const next = new Map<string, StatementFaults>()
    let since = performance.now()
    for (const { start, end } of listStatements(readTokens(text))) {
      const part = text.slice(start, end)
      const knownStatementFaults = next.get(part) ?? kept.get(part) ?? (await diagnoseStatement(part, catalogue))
      if (next.size < MAX_KEPT) next.set(part, knownStatementFaults)
      for (const { table, ...fault } of knownStatementFaults.faults) {
        if (table !== null && defined.has(table)) continue
        diagnostics.push({ ...fault, start: start + fault.start, end: start + fault.end })
      }
      for (const name of knownStatementFaults.defined) defined.add(name)
      if (diagnostics.length >= MAX_FOUND) break
      if (performance.now() - since > YIELD_AFTER_MS) {
        await pause()
        since = performance.now()
      }
    }
    kept = next
    return diagnostics.slice(0, MAX_FOUND)
  }
}

async function diagnoseStatement(text: string, catalogue: Catalogue): Promise<StatementFaults> {
  const { statements, errors } = await parseSql(text)
  const tokens = readTokens(text).filter(({ kind }) => kind !== 'comment')
  const faults = errors.map(({ message, position }) => ({
    ...findSpanAt(tokens, position, text),
    message: message.charAt(0).toUpperCase() + message.slice(1),
    severity: 'error' as const,
    replacement: null,
    table: null,
  }))
  // Without a catalogue every table would be unknown.
  if (catalogue.schemas.length === 0) return { faults, defined: [] }
  const unknown = statements.map((statement) => listUnknownTables(statement, tokens, catalogue))
  return {
    faults: [
      ...faults,
      ...unknown.flatMap((statementFaults) => statementFaults.faults),
      ...statements.flatMap((statement) => listUnknownColumns(statement, tokens, catalogue)),
    ],
    defined: unknown.flatMap((statementFaults) => statementFaults.defined),
  }
}

function findSpanAt(tokens: readonly Token[], position: number, text: string): { start: number; end: number } {
  const token =
    tokens.find(({ start, end }) => start <= position && position < end) ??
    tokens.findLast(({ end }) => end <= position)
  return token ? { start: token.start, end: token.end } : { start: 0, end: text.length }
}

const HIDDEN_SCHEMAS = new Set(['pg_catalog', 'information_schema', 'pg_temp', RESULT_SCHEMA])

function listUnknownTables(statement: SqlStatement, inside: readonly Token[], catalogue: Catalogue): StatementFaults {
  const { tables } = listReferences(statement, {
    findTable: ({ schema, name }) => {
      const table = catalogue.findTable(schema, name)
      return table && { schema: table.schema, name: table.name, columns: table.source.columns }
    },
  })
  const faults = tables.flatMap(({ schema, name, isDefined, positions }) => {
    const isHidden = (schema === null && name.startsWith('pg_')) || (schema !== null && HIDDEN_SCHEMAS.has(schema))
    if (isDefined || isHidden || catalogue.findTable(schema, name)) return []
    const nearest = findNearestTable(schema, name, catalogue)
    const full = schema === null ? name : `${schema}.${name}`
    return positions.map((position) => {
      const span = readNameSpan(inside, position, schema === null ? 1 : 2)
      return {
        ...span,
        message: `Table ${full} does not exist.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
        severity: 'warning' as const,
        replacement: nearest,
        table: name,
      }
    })
  })
  return { faults, defined: tables.flatMap(({ isDefined, name }) => (isDefined ? [name] : [])) }
}

function findNearestTable(schema: string | null, name: string, catalogue: Catalogue): string | null {
  const same = catalogue.tables.find((table) => table.name === name)
  if (same) return `${quoteName(same.schema)}.${quoteName(same.name)}`
  const within = catalogue.tables.filter((table) => schema === null || table.schema === schema)
  const nearest = findNearestName(
    name,
    within.map((table) => table.name),
  )
  const table = within.find((candidate) => candidate.name === nearest)
  if (!table) return null
  const isPlain = schema === null && catalogue.findTable(null, table.name) === table
  return isPlain ? quoteName(table.name) : `${quoteName(table.schema)}.${quoteName(table.name)}`
}

function readNameSpan(tokens: readonly Token[], position: number, parts: number): { start: number; end: number } {
  const at = tokens.findIndex(({ start, end }) => start <= position && position < end)
  const first = tokens[at]
  const last = tokens[at + (parts - 1) * 2] ?? first
  return first && last ? { start: first.start, end: last.end } : { start: position, end: position + 1 }
}

interface ColumnUse {
  readonly names: readonly string[]
  readonly offset: number
}

function listColumnUses({ node, toOffset }: SqlStatement): ColumnUse[] {
  const columnUses: ColumnUse[] = []
  const pending: unknown[] = [node]
  while (pending.length > 0) {
    const value = pending.pop()
    if (value === null || typeof value !== 'object') continue
    const reference = (value as { ColumnRef?: { fields?: { String?: { sval?: string } }[]; location?: number } })
      .ColumnRef
    if (reference) {
      const names = (reference.fields ?? []).map(({ String: name }) => name?.sval)
      if (names.every((name) => name !== undefined)) columnUses.push({ names, offset: toOffset(reference.location) })
    } else pending.push(...Object.values(value))
  }
  return columnUses
}

const CHECKED = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'])
/** Row names in ON CONFLICT and RETURNING. */
const PSEUDO_TABLES = new Set(['excluded', 'old', 'new'])
const SYSTEM_COLUMNS = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'])

function listUnknownColumns(
  statement: SqlStatement,
  inside: readonly Token[],
  catalogue: Catalogue,
): StatementFaults['faults'] {
  if (!CHECKED.has(statement.type)) return []
  return listColumnUses(statement).flatMap(({ names, offset }) => {
    const [name = '', owner] = names.toReversed()
    if (names.length > 2 || SYSTEM_COLUMNS.has(name) || PSEUDO_TABLES.has(owner ?? '')) return []
    const scope = findScope(inside, offset, catalogue)
    const at = inside.findIndex(({ start }) => start === offset)
    return owner === undefined
      ? checkBareColumn(inside[at], name, scope)
      : checkOwnedColumn({ owner: inside[at], column: inside[at + 2] }, { owner, name }, scope)
  })
}

function checkBareColumn(
  token: Token | undefined,
  name: string,
  { relations, part }: Scope,
): StatementFaults['faults'] {
  const isRow = relations.some(({ alias }) => alias === name)
  return isRow || isOutputName(part, name) ? [] : toUnknownColumn(token, { name, owner: null }, relations)
}

/** `as total`, which ORDER BY and GROUP BY may use. */
const isOutputName = (part: Scope['part'], name: string): boolean =>
  part.some((node, at) => {
    const token = asToken(node)
    return isName(token) && toName(token) === name && isWord(asToken(part[at - 1]), 'as')
  })

function checkOwnedColumn(
  tokens: { owner: Token | undefined; column: Token | undefined },
  { owner, name }: { owner: string; name: string },
  { relations }: Scope,
): StatementFaults['faults'] {
  const of = relations.filter(({ alias }) => alias === owner)
  if (of.length === 0 && relations.length > 0) return toUnknownOwner(tokens.owner, owner, relations)
  return toUnknownColumn(tokens.column, { name, owner }, of)
}

function toUnknownColumn(
  token: Token | undefined,
  { name, owner }: { name: string; owner: string | null },
  of: readonly ScopeRelation[],
): StatementFaults['faults'] {
  // Relations with unknown columns may have it.
  if (!token || of.length === 0 || of.some(({ columns }) => columns === undefined)) return []
  if (of.some((scopeRelation) => hasColumn(scopeRelation, name))) return []
  const nearest = findNearestName(
    name,
    of.flatMap(({ columns }) => (columns ?? []).map((column) => column.name)),
  )
  const place = owner === null ? '' : ` in ${owner}`
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return [
    {
      start: token.start,
      end: token.end,
      message: `Column ${name} does not exist${place}.${hint}`,
      severity: 'warning',
      replacement: nearest === undefined ? null : quoteName(nearest),
      table: null,
    },
  ]
}

function toUnknownOwner(
  token: Token | undefined,
  owner: string,
  relations: readonly ScopeRelation[],
): StatementFaults['faults'] {
  if (!token) return []
  const nearest = findNearestName(
    owner,
    relations.map(({ alias }) => alias),
  )
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  const replacement = nearest === undefined ? null : quoteName(nearest)
  const message = `No table or alias ${owner} in FROM.${hint}`
  return [{ start: token.start, end: token.end, message, severity: 'warning', replacement, table: null }]
}

const hasColumn = ({ columns, table }: ScopeRelation, name: string): boolean =>
  (columns ?? []).some((column) => column.name === name) ||
  (table !== undefined && listColumns(table).some((column) => column.name === name))

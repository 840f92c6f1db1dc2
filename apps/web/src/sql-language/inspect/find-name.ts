import type { Catalogue, Column, Table } from '../catalogue/catalogue.ts'
import { nameResults } from '../text/result-names.ts'
import { findScope, type Scope } from '../text/scope.ts'
import { readStatementAround } from '../text/statements.ts'
import { isName, isSign, readTokens, type Token, toName } from '@trellis/sql-grammar/tokens'
import type { CatalogueFunction } from '@trellis/contract/explorer/catalogue.endpoints'

export type NamedThing =
  | { readonly kind: 'table'; readonly table: Table; readonly alias: string | null }
  | { readonly kind: 'column'; readonly column: Column; readonly owner: string }
  | { readonly kind: 'function'; readonly functions: readonly CatalogueFunction[] }

interface FoundName {
  readonly start: number
  readonly end: number
  readonly thing: NamedThing
}

export function findNameAt(sql: string, offset: number, catalogue: Catalogue): FoundName | undefined {
  const tokens = readStatementAround(readTokens(nameResults(sql)), offset)
  const at = tokens.findIndex(({ start, end }) => start <= offset && offset <= end)
  const token = tokens[at]
  if (!isName(token)) return undefined
  const owner = isSign(tokens[at - 1], '.') && isName(tokens[at - 2]) ? toName(tokens[at - 2] as Token) : null
  const scope = findScope(tokens, offset, catalogue)
  const isCalled = isSign(tokens[at + 1], '(')
  const isOwner = isSign(tokens[at + 1], '.')
  const thing = identify({ name: toName(token), owner, isCalled, isOwner }, scope, catalogue)
  return thing && { start: token.start, end: token.end, thing }
}

interface NameUse {
  readonly name: string
  readonly owner: string | null
  readonly isCalled: boolean
  readonly isOwner: boolean
}

function identify(
  { name, owner, isCalled, isOwner }: NameUse,
  scope: Scope,
  catalogue: Catalogue,
): NamedThing | undefined {
  const { relations } = scope
  if (isCalled) {
    const functions = catalogue.findFunctions(name)
    if (functions.length > 0) return { kind: 'function', functions }
  }
  const namedScopeRelation = owner === null ? relations.find(({ alias }) => alias === name) : undefined
  if (namedScopeRelation?.table && (isOwner || namedScopeRelation.table.name !== name))
    return toTable(namedScopeRelation.table, name)
  for (const relation of relations) {
    if (isOwner || (owner !== null && relation.alias !== owner)) continue
    const column = relation.columns?.find((candidate) => candidate.name === name)
    if (column) return { kind: 'column', column, owner: relation.alias }
  }
  const table = catalogue.findTable(owner, name)
  return table && toTable(table, null)
}

const toTable = (table: Table, alias: string | null): NamedThing => ({
  kind: 'table',
  table,
  alias: alias === table.name ? null : alias,
})

import type { Catalogue } from '../catalogue/catalogue.ts'
import { listParameterNames } from '../text/parameters.ts'
import { nameResults } from '../text/result-names.ts'
import { findScope, type Scope } from '../text/scope.ts'
import { readStatementAround } from '../text/statements.ts'
import { readTokens } from '@trellis/sql-grammar/tokens'
import { listAliases, listColumnItems, listTargetColumns } from './columns.ts'
import { listFunctions } from './functions.ts'
import { createItem, type Item, matchName } from './item.ts'
import { listConditions, listJoins } from './joins.ts'
import { findPlace, type CompletionContext } from './completion-context.ts'
import { listSnippets, type Snippet } from './snippets.ts'
import { listTables, MAX_TABLES } from './tables.ts'
import { isUpperTyped, listKeywords, listTypes } from './words.ts'

export interface CompletionAnswer {
  readonly start: number
  readonly items: readonly Item[]
  /** Truncated: ask again on the next letter. */
  readonly isCut: boolean
}

const NOTHING: CompletionAnswer = { start: 0, items: [], isCut: false }
const MAX_ITEMS = 200
const PART = 2
/** Prefix match only: otherwise Enter after a new alias accepts them, and `orders x` becomes `orders except`. */
const BY_BEGINNING: ReadonlySet<Item['kind']> = new Set(['keyword', 'snippet', 'type', 'join'])

export interface CompletionOptions {
  readonly catalogue: Catalogue
  readonly snippets?: readonly Snippet[]
}

export function complete(
  sql: string,
  offset: number,
  { catalogue, snippets = [] }: CompletionOptions,
): CompletionAnswer {
  const all = readTokens(nameResults(sql))
  const touchedToken = all.findLast(({ start }) => start < offset)
  if (
    touchedToken?.kind === 'comment' &&
    (touchedToken.end > offset || touchedToken.isOpen || touchedToken.text.startsWith('--')) &&
    touchedToken.end >= offset
  )
    return NOTHING
  const tokens = readStatementAround(all, offset)
  const scope = findScope(tokens, offset, catalogue)
  const context = findPlace(tokens, offset, scope)
  if (context.expected === 'parameter') {
    const names = listParameterNames(sql).filter((name) => name !== context.typed)
    return {
      start: context.start,
      isCut: false,
      items: names.map((label) => createItem({ label, kind: 'parameter', detail: 'parameter', rank: 1 })),
    }
  }
  const found = listItems(context, scope, { catalogue, snippets })
  const lower = context.typed.toLowerCase()
  const items = found
    .flatMap((item) => {
      const fit = lower === '' ? 0 : matchName(item.filter.toLowerCase(), lower)
      const isFitting = fit !== undefined && (fit < PART || !BY_BEGINNING.has(item.kind))
      return isFitting
        ? [{ item: fit === PART ? toPart(item, context.typed) : item, order: fit * 100 + item.rank }]
        : []
    })
    .toSorted((a, b) => a.order - b.order)
    .slice(0, MAX_ITEMS)
    .map(({ item }) => (item.kind === 'keyword' && isUpperTyped(context.typed) ? toUpper(item) : item))
  const tables = items.filter(({ kind }) => kind === 'table' || kind === 'view').length
  return {
    start: context.start,
    items,
    isCut:
      tables >= MAX_TABLES ||
      items.length >= MAX_ITEMS ||
      // Infix matches may need the next letter.
      found.some(({ kind }) => kind === 'function' || kind === 'table' || kind === 'view' || kind === 'column'),
  }
}

/** The editor matches prefixes only, so the filter starts with what was typed. */
const toPart = (item: Item, typed: string): Item => ({ ...item, filter: `${typed} ${item.filter}` })

const toUpper = (item: Item): Item => ({ ...item, label: item.label.toUpperCase(), insert: item.insert.toUpperCase() })

function listItems(context: CompletionContext, scope: Scope, { catalogue, snippets = [] }: CompletionOptions): Item[] {
  const { expected, owners, clause, previous } = context
  const words = () => listKeywords(expected, clause, previous)
  switch (expected) {
    case 'nothing':
    case 'parameter':
      return []
    case 'type':
      return listTypes()
    case 'statement':
      return [...words(), ...listSnippets(true, snippets)]
    case 'target-column':
      return listTargetColumns(context, scope)
    case 'table': {
      const joins = previous === 'join' && owners.length === 0 ? listJoins(scope, catalogue, true) : []
      return [...joins, ...listTables(context, scope, catalogue), ...(owners.length > 0 ? [] : words())]
    }
    case 'after-table':
      return [...(clause === 'from' || clause === 'join' ? listJoins(scope, catalogue, false) : []), ...words()]
    case 'condition':
    case 'column':
      return owners.length > 0
        ? listOwned(context, scope, catalogue)
        : listExpressionItems(context, scope, { catalogue, snippets })
    default:
      return expected satisfies never
  }
}

function listOwned(context: CompletionContext, scope: Scope, catalogue: Catalogue): Item[] {
  const columns = listColumnItems(context, scope)
  return columns.length > 0 ? columns : [...listTables(context, scope, catalogue), ...listFunctions(context, catalogue)]
}

function listExpressionItems(
  context: CompletionContext,
  scope: Scope,
  { catalogue, snippets = [] }: CompletionOptions,
): Item[] {
  const { expected, clause, previous, isQuoted } = context
  const names = [
    ...(expected === 'condition' ? listConditions(scope, catalogue) : []),
    ...listColumnItems(context, scope),
    ...listAliases(scope),
  ]
  if (isQuoted) return names
  return [
    ...names,
    ...listFunctions(context, catalogue),
    ...listKeywords(expected, clause, previous),
    ...listSnippets(false, snippets),
    ...(clause === 'on' ? listJoins(scope, catalogue, false) : []),
  ]
}

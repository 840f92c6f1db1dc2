import { asToken, getOuterEnd, type Group, isGroup, type Node } from '../text/groups.ts'
import { isNameAfterDot } from '../text/relations.ts'
import type { Scope } from '../text/scope.ts'
import { isName, isSign, isWord, type Token, toName } from '@trellis/sql-grammar/tokens'

export type ExpectedKind =
  | 'nothing'
  | 'statement'
  | 'table'
  | 'after-table'
  | 'column'
  | 'condition'
  | 'target-column'
  | 'parameter'
  | 'type'

export interface CompletionContext {
  readonly expected: ExpectedKind
  readonly typed: string
  readonly start: number
  readonly isQuoted: boolean
  readonly owners: readonly string[]
  readonly clause: string
  readonly previous: string
}

const CLAUSES = new Set(
  'select from join on using where group having order limit offset window returning set values insert update delete into with call'.split(
    ' ',
  ),
)
const TABLE_WORDS = new Set('from join into update table truncate only lateral describe'.split(' '))

export function findPlace(tokens: readonly Token[], offset: number, scope: Scope): CompletionContext {
  const at = tokens.findLastIndex(({ start }) => start < offset)
  const touchedToken = tokens[at]
  const word = touchedToken && touchedToken.end >= offset && isName(touchedToken) ? touchedToken : undefined
  const end = word ? at : at + 1
  const start = word?.start ?? offset
  const owners = readOwners(tokens, end)
  const { clause, previous } = readClause(scope.groups, owners.start ?? start)
  return {
    typed: word ? readTyped(word, offset) : '',
    start,
    isQuoted: word?.kind === 'quoted',
    owners: owners.names,
    clause,
    previous,
    expected:
      expectByToken({ touched: touchedToken, before: tokens[end - 1], offset, start, scope }) ??
      expectByClause({ scope, clause, previous, start }),
  }
}

interface Neighbours {
  readonly touched: Token | undefined
  readonly before: Token | undefined
  readonly offset: number
  readonly start: number
  readonly scope: Scope
}

function expectByToken({ touched, before, offset, start, scope }: Neighbours): ExpectedKind | undefined {
  const isInside = touched !== undefined && (touched.end > offset || touched.isOpen)
  if (isInside && (touched.kind === 'string' || touched.kind === 'number')) return 'nothing'
  if (isSign(before, ':') && before?.end === start) return 'parameter'
  if (isSign(before, '::') || (isWord(before, 'as') && isCast(scope))) return 'type'
  return touched?.kind === 'number' && touched.end === offset ? 'nothing' : undefined
}

const readTyped = (word: Token, offset: number): string =>
  word.kind === 'quoted'
    ? toName({ ...word, text: word.text.slice(0, offset - word.start), isOpen: true })
    : word.text.slice(0, offset - word.start)

function readOwners(tokens: readonly Token[], end: number): { names: string[]; start: number | undefined } {
  const names: string[] = []
  let start: number | undefined
  for (let at = end - 1; isSign(tokens[at], '.') && isName(tokens[at - 1]); at -= 2) {
    const owner = tokens[at - 1] as Token
    names.unshift(toName(owner))
    start = owner.start
  }
  return { names, start }
}

const isCast = ({ groups }: Scope): boolean => {
  const inner = groups.at(-1)
  const around = groups.at(-2)
  const index = around?.nodes.indexOf(inner as Node) ?? -1
  return isWord(asToken(around?.nodes[index - 1]), 'cast')
}

/** In parentheses that are no subquery, the clause of the surrounding query. */
function readClause(groups: readonly Group[], start: number): { clause: string; previous: string } {
  const group = groups.at(-1)
  const before = (group?.nodes ?? []).filter((node) => node.start < start && getOuterEnd(node) <= start)
  const last = before.at(-1)
  const previous = isGroup(last) ? ')' : (last?.text.toLowerCase() ?? '')
  const at = before.findLastIndex(
    (node, index) =>
      asToken(node)?.kind === 'word' &&
      CLAUSES.has((node as Token).text.toLowerCase()) &&
      !isNameAfterDot(before, index),
  )
  const found = before[at]
  if (found) return { clause: (found as Token).text.toLowerCase(), previous }
  if (!group || groups.length < 2) return { clause: '', previous }
  return { clause: readClause(groups.slice(0, -1), group.start - 1).clause, previous }
}

interface Facts {
  readonly scope: Scope
  readonly clause: string
  readonly previous: string
  readonly start: number
}

const TABLE_CLAUSES = new Set(['from', 'join', 'into', 'insert', 'update', 'delete'])
const NEW_NAME_WORDS = new Set(['as', 'with', 'recursive'])

function expectByClause({ scope, clause, previous, start }: Facts): ExpectedKind {
  if (clause === '' && (previous === '' || previous === '(')) return 'statement'
  if (NEW_NAME_WORDS.has(previous)) return 'nothing'
  if (isTargetList(scope)) return 'target-column'
  if (TABLE_WORDS.has(previous)) return 'table'
  if ((clause === 'from' || clause === 'join') && previous === ',') return 'table'
  if (clause === 'set') return isNewAssignment(previous) ? 'target-column' : 'column'
  if (clause === 'on' && previous === 'on') return 'condition'
  if (TABLE_CLAUSES.has(clause)) return 'after-table'
  const isAfterUsing =
    clause === 'using' && scope.relations.some((relation) => !relation.isOuter && relation.end === start - 1)
  return isAfterUsing ? 'after-table' : 'column'
}

const isNewAssignment = (previous: string): boolean => previous === 'set' || previous === ','

/** `insert into t (` and `on conflict (`. */
function isTargetList({ groups, relations }: Scope): boolean {
  const [around, group] = groups.slice(-2)
  if (!around || !group) return false
  const index = around.nodes.indexOf(group)
  const target = relations.find((relation) => relation.isTarget && !relation.isOuter)
  const before = around.nodes[index - 1]
  const isAfterTarget = target !== undefined && before !== undefined && getOuterEnd(before) === target.end
  const isInsert = around.nodes.some((node) => isWord(asToken(node), 'into') && node.start < group.start)
  return isInsert && (isAfterTarget || isWord(asToken(before), 'conflict'))
}

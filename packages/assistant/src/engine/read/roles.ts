import type { Candidate, Lexicon, Target } from '../schema/lexicon.ts'
import type { Model, TableRole } from '../schema/model.ts'
import { stemWord } from '../words/stem.ts'
import type { Token } from '../words/tokens.ts'
import type { Mention } from './link.ts'
import { isArticle, isStopWord } from './stop-words.ts'

/** A word that picks one of several foreign keys to a table: "origin" of "origin airport". */
export interface RoleWord {
  readonly index: number
  /** Where the noun of the role follows; equal to `index` if there is none: "by destination". */
  readonly at: number
  readonly role: TableRole
}

interface ScannedQuestion {
  readonly tokens: readonly Token[]
  readonly model: Model
  readonly lexicon: Lexicon
}

const MAX_BETWEEN = 3
const MIN_WEIGHT = 0.6
const SURE_WEIGHT = 0.9
const toStemSet = (words: string) => new Set(words.split(' ').map((word) => stemWord(word)))
const BEGINNINGS = toStemSet('from origin source departure start sender pickup')
const ENDS = toStemSet('to destination target arrival end receiver recipient dropoff')
const DIRECTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  from: BEGINNINGS,
  leaving: BEGINNINGS,
  departing: BEGINNINGS,
  to: ENDS,
  arriving: ENDS,
}
const ASKING = new Set(['by', 'per', 'each', 'every', 'which', 'what'])

export function findRoleWords(scanned: ScannedQuestion, taken: ReadonlySet<number>): RoleWord[] {
  const roleWords: RoleWord[] = []
  for (const token of scanned.tokens) {
    const isFree = !taken.has(token.index) && !roleWords.some(({ at }) => at === token.index)
    const word = isFree ? findRoleWord(scanned, token) : undefined
    if (word) roleWords.push(word)
  }
  return roleWords
}

function findRoleWord(scanned: ScannedQuestion, token: Token): RoleWord | undefined {
  const { model } = scanned
  const directed = DIRECTIONS[token.lower]
  const namedRoles = model.roles.filter(
    ({ words }) => words.includes(token.stem) || words.some((word) => directed?.has(word)),
  )
  const at = findNext(scanned, token.index)
  const spoken = namedRoles.filter(({ of }) => namesTable(scanned, at, of))
  if (spoken.length > 0) return pickRole(scanned, spoken).map((role) => ({ index: token.index, at, role }))[0]
  const [only, second] = namedRoles.filter(({ links, table }) => links[0]?.to === table)
  if (!only || second || directed || !isAsked(scanned, token.index)) return undefined
  const isOther = scanned.lexicon.find(token.stem).some(({ weight }) => weight >= SURE_WEIGHT)
  return isOther ? undefined : { index: token.index, at: token.index, role: only }
}

/** Orders and quotes both have a shipping address: prefers the table that is mentioned. */
function pickRole({ tokens, lexicon }: ScannedQuestion, roles: readonly TableRole[]): readonly TableRole[] {
  if (roles.length === 1) return roles
  const namedCandidates = tokens
    .flatMap(({ stem: own }) => lexicon.find(own))
    .filter(({ weight }) => weight >= SURE_WEIGHT)
  const isNamed = ({ links: [first] }: TableRole) =>
    namedCandidates.some(({ target }) => target.kind === 'table' && target.table === first?.from)
  const pickedRoles = roles.filter(isNamed)
  return pickedRoles.length === 1 ? pickedRoles : []
}

/** "by destination", "top 3 destinations", "by origin and destination" */
function isAsked({ tokens, model }: ScannedQuestion, index: number): boolean {
  const [other, before] = [tokens[index - 2], tokens[index - 1]]
  const isSecond = before?.lower === 'and' && model.roles.some(({ words }) => words.includes(other?.stem ?? ''))
  // "shipping method": the word is not a role here.
  const after = tokens[index + 1]
  if (after !== undefined && !isStopWord(after.lower)) return false
  return isSecond || (before !== undefined && (ASKING.has(before.lower) || before.number !== null))
}

/** "opened by each employee", "origin and destination city": skips stop words and other roles. */
function findNext({ tokens, model }: ScannedQuestion, index: number): number {
  const isSkipped = ({ lower, stem: own }: Token) =>
    isStopWord(lower) || (tokens[index + 1]?.lower === 'and' && model.roles.some(({ words }) => words.includes(own)))
  const last = Math.min(index + 1 + MAX_BETWEEN, tokens.length)
  for (const token of tokens.slice(index + 1, last)) if (!isSkipped(token)) return token.index
  return tokens.length
}

function namesTable({ tokens, lexicon }: ScannedQuestion, at: number, table: TableRole['of']): boolean {
  const [first, second] = tokens.slice(at, at + 2)
  if (!first) return false
  const candidates = [
    ...lexicon.find(first.stem),
    ...lexicon.findValue(first.lower),
    ...(second
      ? [...lexicon.find(`${first.stem} ${second.stem}`), ...lexicon.findValue(`${first.lower} ${second.lower}`)]
      : []),
  ]
  return candidates.some(({ target, weight }) => target.table === table && weight >= MIN_WEIGHT)
}

function toRoleTarget(target: Target, { of, table }: TableRole): Target {
  if (target.kind !== 'column' && target.kind !== 'value') return { kind: 'table', table }
  const column = table.columns[of.columns.indexOf(target.column)] ?? target.column
  return { ...target, table, column }
}

/** Applies role words to the mentions that follow; without one, every role is a candidate. */
export function applyRoles(
  mentions: readonly Mention[],
  { tokens, model }: Pick<ScannedQuestion, 'tokens' | 'model'>,
  words: readonly RoleWord[],
): Mention[] {
  let role: TableRole | undefined
  let end = -1
  const givenMentions = mentions.map((mention): Mention => {
    const word = words.findLast(({ at }) => at >= mention.start && at < mention.end)
    // "destination airport city": the role also applies to the next mention.
    role = word?.role ?? (mention.start === end ? role : undefined)
    end = mention.end
    const candidate = role && findOfTable(mention, role)
    if (!role || !candidate) return offerRoles(mention, model)
    const isBefore =
      word !== undefined && tokens.slice(word.index + 1, mention.start).every(({ lower }) => isArticle(lower))
    return {
      ...mention,
      start: isBefore ? word.index : mention.start,
      target: toRoleTarget(candidate.target, role),
      weight: Math.max(candidate.weight, 0.9),
      isAmbiguous: false,
    }
  })
  const besides = words.filter(
    (word) => !givenMentions.some(({ start, end: last }) => word.index >= start && word.index < last),
  )
  const added = besides.flatMap((word) => toOwnMention(word, { tokens, given: givenMentions }))
  return [...givenMentions, ...added].toSorted((a, b) => a.start - b.start)
}

const findOfTable = ({ target, weight, candidates }: Mention, { of }: TableRole): Candidate | undefined =>
  target.table === of ? { target, weight } : candidates.find((candidate) => candidate.target.table === of)

function offerRoles(mention: Mention, { roles }: Model): Mention {
  const possible = roles.filter(({ of }) => of === mention.target.table)
  const offered = possible.map((role) => ({ target: toRoleTarget(mention.target, role), weight: MIN_WEIGHT }))
  return { ...mention, candidates: [...mention.candidates, ...offered] }
}

/** A role alone stands for its table; before "and", for what the second role stands for. */
function toOwnMention(
  { index, at, role }: RoleWord,
  { tokens, given }: { tokens: readonly Token[]; given: readonly Mention[] },
): Mention[] {
  const shared = given.find((mention) => at >= mention.start && at < mention.end && tokens[index + 1]?.lower === 'and')
  if (index !== at && !shared) return []
  const column = shared && shared.target.kind === 'column' ? shared.target.column : undefined
  const ownColumn = column && role.table.columns.find(({ name }) => name === column.name)
  const target: Target = ownColumn
    ? { kind: 'column', table: role.table, column: ownColumn }
    : { kind: 'table', table: role.table }
  const words = tokens[index]?.text ?? ''
  return [{ start: index, end: index + 1, words, target, weight: 0.85, isAmbiguous: false, candidates: [] }]
}

/** Only roles in use are added: otherwise every second table would match several times. */
export function addRoles(model: Model, mentions: readonly Mention[]): Model {
  const spoken = model.roles.filter(
    ({ table }) => !model.tables.includes(table) && mentions.some(({ target }) => target.table === table),
  )
  if (spoken.length === 0) return model
  return {
    ...model,
    tables: [...model.tables, ...spoken.map(({ table }) => table)],
    links: [...new Set([...model.links, ...spoken.flatMap(({ links }) => links)])],
  }
}

import type { Candidate, Lexicon, SchemaTarget } from '../schema/lexicon.ts'
import type { Model, TableRole } from '../schema/model.ts'
import { stemWord } from '../words/stem.ts'
import type { Token } from '../words/tokens.ts'
import type { Mention } from './find-mentions.ts'
import { isArticle, isStopWord } from './stop-words.ts'
import { DERIVED_MATCH, SURE_MATCH } from '../schema/match-scores.ts'

/** A word that picks one of several foreign keys to a table: "origin" of "origin airport". */
export interface RoleWord {
  readonly index: number
  /** Where the noun of the role follows; equal to `index` if there is none: "by destination". */
  readonly nounIndex: number
  readonly role: TableRole
}

interface RoleSearchInput {
  readonly tokens: readonly Token[]
  readonly model: Model
  readonly lexicon: Lexicon
}

const MAX_TOKENS_BETWEEN = 3
const MIN_SCORE = 0.6
const SURE_SCORE = 0.9
const toStemSet = (words: string) => new Set(words.split(' ').map((word) => stemWord(word)))
const ORIGIN_WORDS = toStemSet('from origin source departure start sender pickup')
const DESTINATION_WORDS = toStemSet('to destination target arrival end receiver recipient dropoff')
const ROLE_WORDS_BY_PREPOSITION: Readonly<Record<string, ReadonlySet<string>>> = {
  from: ORIGIN_WORDS,
  leaving: ORIGIN_WORDS,
  departing: ORIGIN_WORDS,
  to: DESTINATION_WORDS,
  arriving: DESTINATION_WORDS,
}
const WORDS_BEFORE_ROLE = new Set(['by', 'per', 'each', 'every', 'which', 'what'])

/** All words of the question that pick one of several foreign keys. */
export function findRoleWords(input: RoleSearchInput, excludedTokens: ReadonlySet<number>): RoleWord[] {
  const roleWords: RoleWord[] = []
  for (const token of input.tokens) {
    const isUnused = !excludedTokens.has(token.index) && !roleWords.some(({ nounIndex }) => nounIndex === token.index)
    const roleWord = isUnused ? findRoleWord(input, token) : undefined
    if (roleWord) roleWords.push(roleWord)
  }
  return roleWords
}

/** "origin airport", "to Berlin", "by destination": the role that the token names, if it is the only one. */
function findRoleWord(input: RoleSearchInput, token: Token): RoleWord | undefined {
  const { model } = input
  const directionWords = ROLE_WORDS_BY_PREPOSITION[token.lower]
  const namedRoles = model.tableRoles.filter(
    ({ words }) => words.includes(token.stem) || words.some((word) => directionWords?.has(word)),
  )
  const nounIndex = findNextNounIndex(input, token.index)
  const rolesOfNextNoun = namedRoles.filter(({ originalTable }) => isTableNamedAt(input, nounIndex, originalTable))
  if (rolesOfNextNoun.length > 0)
    return filterRolesByMentionedTable(input, rolesOfNextNoun).map((role) => ({
      index: token.index,
      nounIndex,
      role,
    }))[0]
  const [uniqueRole, secondRole] = namedRoles.filter(({ foreignKeys, aliasTable }) => foreignKeys[0]?.to === aliasTable)
  if (!uniqueRole || secondRole || directionWords || !isRoleRequested(input, token.index)) return undefined
  const hasOtherMeaning = input.lexicon.findNames(token.stem).some(({ matchScore }) => matchScore >= SURE_SCORE)
  return hasOtherMeaning ? undefined : { index: token.index, nounIndex: token.index, role: uniqueRole }
}

/** Orders and quotes both have a shipping address: prefers the table that is mentioned. */
function filterRolesByMentionedTable(
  { tokens, lexicon }: RoleSearchInput,
  roles: readonly TableRole[],
): readonly TableRole[] {
  if (roles.length === 1) return roles
  const namedCandidates = tokens
    .flatMap(({ stem }) => lexicon.findNames(stem))
    .filter(({ matchScore }) => matchScore >= SURE_SCORE)
  const isReferencingTableMentioned = ({ foreignKeys: [foreignKey] }: TableRole) =>
    namedCandidates.some(({ target }) => target.kind === 'table' && target.table === foreignKey?.from)
  const pickedRoles = roles.filter(isReferencingTableMentioned)
  return pickedRoles.length === 1 ? pickedRoles : []
}

/** "by destination", "top 3 destinations", "by origin and destination" */
function isRoleRequested({ tokens, model }: RoleSearchInput, tokenIndex: number): boolean {
  const [secondPrevious, previous] = [tokens[tokenIndex - 2], tokens[tokenIndex - 1]]
  const isSecondRole =
    previous?.lower === 'and' && model.tableRoles.some(({ words }) => words.includes(secondPrevious?.stem ?? ''))
  // "shipping method": the word is not a role here.
  const nextToken = tokens[tokenIndex + 1]
  if (nextToken !== undefined && !isStopWord(nextToken.lower)) return false
  return isSecondRole || (previous !== undefined && (WORDS_BEFORE_ROLE.has(previous.lower) || previous.number !== null))
}

/** "opened by each employee", "origin and destination city": skips stop words and other roles. */
function findNextNounIndex({ tokens, model }: RoleSearchInput, index: number): number {
  const isSkipped = ({ lower, stem }: Token) =>
    isStopWord(lower) ||
    (tokens[index + 1]?.lower === 'and' && model.tableRoles.some(({ words }) => words.includes(stem)))
  const searchEnd = Math.min(index + 1 + MAX_TOKENS_BETWEEN, tokens.length)
  for (const token of tokens.slice(index + 1, searchEnd)) if (!isSkipped(token)) return token.index
  return tokens.length
}

/** Whether the next one or two tokens name the table, its columns or its values. */
function isTableNamedAt(
  { tokens, lexicon }: RoleSearchInput,
  tokenIndex: number,
  table: TableRole['originalTable'],
): boolean {
  const [token, nextToken] = tokens.slice(tokenIndex, tokenIndex + 2)
  if (!token) return false
  const candidates = [
    ...lexicon.findNames(token.stem),
    ...lexicon.findValues(token.lower),
    ...(nextToken
      ? [
          ...lexicon.findNames(`${token.stem} ${nextToken.stem}`),
          ...lexicon.findValues(`${token.lower} ${nextToken.lower}`),
        ]
      : []),
  ]
  return candidates.some(({ target, matchScore }) => target.table === table && matchScore >= MIN_SCORE)
}

/** The same column or value in the copy of the table that has the role. */
function toTargetInRole(target: SchemaTarget, { originalTable, aliasTable }: TableRole): SchemaTarget {
  if (target.kind !== 'column' && target.kind !== 'value') return { kind: 'table', table: aliasTable }
  const column = aliasTable.columns[originalTable.columns.indexOf(target.column)] ?? target.column
  return { ...target, table: aliasTable, column }
}

/** Applies role words to the mentions that follow; without one, every role is a candidate. */
export function applyRoles(
  mentions: readonly Mention[],
  { tokens, model }: Pick<RoleSearchInput, 'tokens' | 'model'>,
  roleWords: readonly RoleWord[],
): Mention[] {
  let role: TableRole | undefined
  let previousEnd = -1
  const mentionsWithRoles = mentions.map((mention): Mention => {
    const roleWord = roleWords.findLast(({ nounIndex }) => nounIndex >= mention.start && nounIndex < mention.end)
    // "destination airport city": the role also applies to the next mention.
    role = roleWord?.role ?? (mention.start === previousEnd ? role : undefined)
    previousEnd = mention.end
    const candidate = role && findCandidateOfRoleTable(mention, role)
    if (!role || !candidate) return addRoleCandidates(mention, model)
    const isRightBeforeMention =
      roleWord !== undefined && tokens.slice(roleWord.index + 1, mention.start).every(({ lower }) => isArticle(lower))
    return {
      ...mention,
      start: isRightBeforeMention ? roleWord.index : mention.start,
      target: toTargetInRole(candidate.target, role),
      matchScore: Math.max(candidate.matchScore, SURE_MATCH),
      isAmbiguous: false,
    }
  })
  const unusedRoleWords = roleWords.filter(
    (roleWord) =>
      !mentionsWithRoles.some(({ start, end: mentionEnd }) => roleWord.index >= start && roleWord.index < mentionEnd),
  )
  const roleMentions = unusedRoleWords.flatMap((roleWord) => toRoleMention(roleWord, { tokens, mentionsWithRoles }))
  return [...mentionsWithRoles, ...roleMentions].toSorted((a, b) => a.start - b.start)
}

/** The meaning of the mention that belongs to the table of the role. */
const findCandidateOfRoleTable = (
  { target, matchScore, candidates }: Mention,
  { originalTable }: TableRole,
): Candidate | undefined =>
  target.table === originalTable
    ? { target, matchScore }
    : candidates.find((candidate) => candidate.target.table === originalTable)

/** Offers every role of the table as another meaning. */
function addRoleCandidates(mention: Mention, { tableRoles }: Model): Mention {
  const possibleRoles = tableRoles.filter(({ originalTable }) => originalTable === mention.target.table)
  const roleCandidates = possibleRoles.map((role) => ({
    target: toTargetInRole(mention.target, role),
    matchScore: MIN_SCORE,
  }))
  return { ...mention, candidates: [...mention.candidates, ...roleCandidates] }
}

/** A role alone stands for its table; before "and", for what the second role stands for. */
function toRoleMention(
  { index, nounIndex, role }: RoleWord,
  { tokens, mentionsWithRoles }: { tokens: readonly Token[]; mentionsWithRoles: readonly Mention[] },
): Mention[] {
  const secondRoleMention = mentionsWithRoles.find(
    (mention) => nounIndex >= mention.start && nounIndex < mention.end && tokens[index + 1]?.lower === 'and',
  )
  if (index !== nounIndex && !secondRoleMention) return []
  const column =
    secondRoleMention && secondRoleMention.target.kind === 'column' ? secondRoleMention.target.column : undefined
  const roleColumn = column && role.aliasTable.columns.find(({ name }) => name === column.name)
  const target: SchemaTarget = roleColumn
    ? { kind: 'column', table: role.aliasTable, column: roleColumn }
    : { kind: 'table', table: role.aliasTable }
  const words = tokens[index]?.text ?? ''
  return [
    { start: index, end: index + 1, words, target, matchScore: DERIVED_MATCH, isAmbiguous: false, candidates: [] },
  ]
}

/** Only roles in use are added: otherwise every second table would match several times. */
export function addMentionedRoles(model: Model, mentions: readonly Mention[]): Model {
  const mentionedRoles = model.tableRoles.filter(
    ({ aliasTable }) =>
      !model.tables.includes(aliasTable) && mentions.some(({ target }) => target.table === aliasTable),
  )
  if (mentionedRoles.length === 0) return model
  return {
    ...model,
    tables: [...model.tables, ...mentionedRoles.map(({ aliasTable }) => aliasTable)],
    foreignKeys: [...new Set([...model.foreignKeys, ...mentionedRoles.flatMap(({ foreignKeys }) => foreignKeys)])],
  }
}

import { findPath, isUpwards } from '../schema/join-paths.ts'
import type { Column } from '../schema/model.ts'
import { isAdditive } from './column-hints.ts'
import type { Mention } from './link.ts'
import { getColumn, getTable, isAmount, isDateMention, isDimension, isNear } from './question.ts'
import { type Reader, isCounted, toExpression, toGroup } from './reader.ts'

export interface Grouping {
  readonly orderMention: Mention | undefined
  readonly perMention: Mention | undefined
  readonly difference: readonly [Column, Column] | undefined
}

/** "by country and status"; but "by revenue" after "top 5" orders, and "per click" after "cost" divides. */
export function readGrouping(reader: Reader): Grouping {
  const { question, roles, groups, free, isRanked, hasAverage } = reader
  const { phrases, tokens } = question
  let orderMention: Mention | undefined
  let perMention: Mention | undefined
  for (const mark of phrases.groupMarks) {
    const namedMention = free().find(
      (mention) => mention.start >= mark.end && isNear(question, { from: mark.end, to: mention.start, most: 4 }),
    )
    const next = namedMention && findOwnColumn(reader, namedMention)
    if (!next || next.target.kind === 'value') continue
    const isPer = tokens[mark.end - 1]?.lower === 'per'
    if (isRanked && isOrder(reader, next)) {
      orderMention = next
      roles.set(next, 'order')
      continue
    }
    const numerator = free().find(
      (mention) =>
        isAmount(mention) &&
        mention.end <= mark.start &&
        isNear(question, { from: mention.end, to: mark.start, most: 1 }),
    )
    if (isPer && isAmount(next) && numerator) {
      setRatio(reader, numerator, next)
      continue
    }
    if (isDateMention(next) && phrases.units.length > 0) {
      roles.set(next, 'date')
      continue
    }
    if (isPer && hasAverage && getTable(next)) perMention = next
    let last: Mention | undefined = next
    while (last) {
      roles.set(last, 'group')
      groups.push(toGroup(last))
      const end: number = last.end
      last = free().find((mention) => mention.start > end && isChain(reader, end, mention.start) && isGroup(mention))
    }
  }
  readRatio(reader)
  return { orderMention, perMention, difference: readDifference(reader) }
}

function isGroup(mention: Mention): boolean {
  const column = getColumn(mention)
  const isDegree = column?.kind === 'integer' && !isAdditive(column)
  return mention.target.kind !== 'value' && (isDegree || !isAmount(mention))
}

/** "top 5 by revenue", "by number of orders", "top 5 customers by orders" */
function isOrder(reader: Reader, next: Mention): boolean {
  const { question, free } = reader
  if (isAmount(next)) return true
  const table = getTable(next)
  if (!table) return false
  const { top, superlatives } = question.phrases
  const ranked = top ?? superlatives[0]
  const mention =
    ranked &&
    free().find((candidate) => candidate.start >= ranked.end && candidate.start < next.start && getTable(candidate))
  const isBelow =
    mention && mention.target.table !== table && isUpwards(findPath(question.model, table, mention.target.table))
  return isCounted(reader, next) || isBelow === true
}

/** "by invoice amount", "per channel category": the table only says whose column is meant. */
function findOwnColumn({ free, roles, isRanked }: Reader, namedMention: Mention): Mention {
  const ownMention = getTable(namedMention)
    ? free().find((mention) => {
        const isOwn = mention.start === namedMention.end && getColumn(mention)?.table === namedMention.target.table
        return isOwn && (isRanked || isDimension(mention))
      })
    : undefined
  if (ownMention) roles.set(namedMention, 'filter')
  return ownMention ?? namedMention
}

function isChain({ question }: Reader, end: number, start: number): boolean {
  const words = question.tokens.slice(end, start).map(({ lower }) => lower)
  return (
    words.length <= 2 && words.includes('and') && words.every((word) => ['and', 'by', 'then', 'per'].includes(word))
  )
}

function setRatio(reader: Reader, first: Mention, second: Mention): void {
  reader.isRatio = true
  for (const mention of [first, second]) {
    reader.measures.push({ aggregate: 'sum', expression: toExpression(mention) })
    reader.roles.set(mention, 'measure')
  }
}

/** "ratio of clicks to impressions" */
function readRatio(reader: Reader): void {
  const word = reader.question.tokens.find(({ lower }) => lower === 'ratio')
  if (!word || reader.isRatio) return
  const [first, second] = reader.free().filter((mention) => isAmount(mention))
  if (!first || !second) return
  reader.used.add(word.index)
  setRatio(reader, first, second)
}

/** "price minus cost" */
function readDifference({ question, free, roles, used }: Reader): Grouping['difference'] {
  const minus = question.tokens.find(({ lower }) => lower === 'minus')
  if (!minus) return undefined
  const left = free()
    .filter((mention) => isAmount(mention) && mention.end <= minus.index)
    .at(-1)
  const right = free().find((mention) => isAmount(mention) && mention.start > minus.index)
  const [first, second] = [left && getColumn(left), right && getColumn(right)]
  if (!left || !right || !first || !second) return undefined
  roles.set(left, 'measure')
  roles.set(right, 'measure')
  used.add(minus.index)
  return [first, second]
}

import { type Column, type Table, isMeasure } from '../schema/model.ts'
import { splitName, toStems } from '../schema/names.ts'
import type { Target } from '../schema/lexicon.ts'
import type { Mention } from './link.ts'
import { type Question, isAmount } from './question.ts'

/** "How much did we spend": where an amount is asked for, a word that names a table may mean its column as well. */
export function preferAmounts(question: Question): Question {
  const { phrases, mentions, tokens } = question
  const wantsAmount =
    phrases.aggregates.some(({ aggregate }) => !aggregate.startsWith('count')) ||
    (phrases.superlatives.some(({ isPlain }) => isPlain) && mentions.length === 1)
  if (!wantsAmount || mentions.some((mention) => isAmount(mention))) return question
  const isHowMuch = phrases.aggregates.some(({ end }) => tokens[end - 1]?.lower === 'much')
  for (const [at, mention] of mentions.entries()) {
    const target = findAmount(mention, isHowMuch)
    if (target) return { ...question, mentions: mentions.with(at, { ...mention, target }) }
  }
  return question
}

/** "how much in fines": the amount that bears the name of its table. */
function findNamedAmount(table: Table, own: ReadonlySet<string>): Column | undefined {
  const [only, second] = table.columns.filter(
    (column) =>
      isMeasure(column) && column.kind === 'number' && toStems(splitName(column.name)).some((part) => own.has(part)),
  )
  return second ? undefined : only
}

function findAmount({ target, candidates, weight }: Mention, isHowMuch: boolean): Target | undefined {
  if (target.kind !== 'table') return undefined
  const { table } = target
  const own = new Set(toStems(splitName(table.name)))
  const named = isHowMuch ? findNamedAmount(table, own) : undefined
  if (named) return { kind: 'column', table, column: named }
  const column =
    own.size > 1 && table.columns.find((one) => isMeasure(one) && own.has(toStems(splitName(one.name)).join(' ')))
  if (column) return { kind: 'column', table, column }
  if (weight >= 0.9) return undefined
  const other = candidates.find(
    (one) =>
      one.weight >= weight - 0.35 &&
      (one.target.kind === 'line_value' ||
        (one.target.kind === 'column' && isMeasure(one.target.column) && one.target.table === table)),
  )
  return other?.target
}

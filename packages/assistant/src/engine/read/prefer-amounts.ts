import { isMeasure } from '../schema/model.ts'
import { splitName, toStems } from '../schema/names.ts'
import type { Target } from '../schema/lexicon.ts'
import type { Mention } from './link.ts'
import { type Question, isAmount } from './question.ts'

/** "How much did we spend": where an amount is asked for, a word that names a table may mean its column as well. */
export function preferAmounts(question: Question): Question {
  const { phrases, mentions } = question
  const wantsAmount =
    phrases.aggregates.some(({ aggregate }) => !aggregate.startsWith('count')) ||
    (phrases.superlatives.some(({ isPlain }) => isPlain) && mentions.length === 1)
  if (!wantsAmount || mentions.some((mention) => isAmount(mention))) return question
  for (const [at, mention] of mentions.entries()) {
    const target = findAmount(mention)
    if (target) return { ...question, mentions: mentions.with(at, { ...mention, target }) }
  }
  return question
}

function findAmount({ target, candidates, weight }: Mention): Target | undefined {
  if (target.kind !== 'table') return undefined
  const { table } = target
  const own = new Set(toStems(splitName(table.name)))
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

import type { ValueSearch } from '@trellis/assistant/engine/search/search-question'
import { buildSearchQuery } from '@trellis/assistant/engine/search/search-sql'
import { startStep } from './answer-parts.ts'
import { type AnswerContext, runQuery } from './run-query.ts'

export async function answerSearch(answering: AnswerContext, search: ValueSearch): Promise<void> {
  const { parts, catalogue } = answering
  const { sql, columns, leftOut } = buildSearchQuery(catalogue.engine.model, search)
  const tables = new Set(columns.map(({ table }) => table))
  const searched = `${count(columns.length, 'column')} of ${count(tables.size, 'table')}`
  startStep(parts, 'search_values', `Searching for “${search.value}”`).finish(searched)
  if (sql === null) {
    parts.add({ kind: 'text', text: `No column of these tables can hold “${search.value}”.` })
    return
  }
  parts.add({ kind: 'text', text: `Values that contain “${search.value}” (searched: ${searched}).` })
  await runQuery(answering, { sql, isCharted: false })
  if (leftOut.length === 0) return
  const names = leftOut.map(({ schema, name }) => `${schema}.${name}`)
  parts.add({
    kind: 'text',
    text: `Not searched, because it would take too long: ${names.join(', ')}. Name one of them to search it.`,
  })
  parts.add({ kind: 'follow_ups', questions: names.slice(0, 3).map((name) => `Find "${search.value}" in ${name}`) })
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

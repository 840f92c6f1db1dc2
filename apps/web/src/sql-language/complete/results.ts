import type { QueryHistory } from '@trellis/contract/sql/sql.schemas'
import { createItem, type Item } from './item.ts'

type HistoryLine = QueryHistory['items'][number]

/** Start of an unfinished `@result…` at the cursor; e-mail addresses don't count. */
export function findResultStart(sql: string, offset: number): number | null {
  const typed = /(?:^|[\s,(])(@[\w.-]*)$/.exec(sql.slice(Math.max(0, offset - 100), offset))?.[1]
  return typed === undefined ? null : offset - typed.length
}

export const listResultItems = (lines: readonly HistoryLine[]): Item[] =>
  lines
    .filter(({ has_results, status }) => has_results && status === 'completed')
    .map((line, rank) => {
      const text = line.sql.replaceAll(/\s+/g, ' ').trim()
      const name = `@result.${line.job_id}`
      return createItem({
        label: text.length > 60 ? `${text.slice(0, 60)}…` : text,
        kind: 'table',
        rank,
        detail: `${line.rows.toLocaleString('en')} rows`,
        comment: `Result of ${new Date(line.created_at).toLocaleString()}`,
        insert: name,
        filter: `${name} ${text}`,
      })
    })

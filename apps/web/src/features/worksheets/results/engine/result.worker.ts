import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { type ResultComputation, computeResult } from './compute-result.ts'

export type WorkerQuestion =
  | { readonly kind: 'columns'; readonly columns: readonly ResultColumn[] }
  | { readonly kind: 'rows'; readonly rows: (readonly (string | null)[])[] }
  | { readonly kind: 'task'; readonly id: number; readonly task: ResultComputation }

let columns: readonly ResultColumn[] = []
let rows: (readonly (string | null)[])[] = []

addEventListener('message', ({ data }: MessageEvent<WorkerQuestion>) => {
  if (data.kind === 'columns') {
    columns = data.columns
    rows = []
  } else if (data.kind === 'rows') rows = rows.concat(data.rows)
  else postMessage({ id: data.id, answer: computeResult({ columns, rows }, data.task) })
})

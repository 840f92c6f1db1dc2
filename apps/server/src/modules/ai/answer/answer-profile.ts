import { buildProfileCharts, buildProfileSql, listFrequentValues } from '@trellis/assistant/engine/profile/profile-sql'
import { toReadableName } from '@trellis/assistant/engine/schema/names'
import type { Table } from '@trellis/assistant/engine/schema/model'
import { startStep } from './answer-parts.ts'
import { type AnswerContext, type ShownRows, runQuery } from './run-query.ts'

export async function answerProfile(answering: AnswerContext, table: Table): Promise<void> {
  const { parts } = answering
  const name = `${table.schema}.${table.name}`
  startStep(parts, 'describe_table', `Profiling ${name}`).finish(`${table.columns.length} columns`)
  const comment = table.comment ? ` ${table.comment}` : ''
  parts.add({ kind: 'text', text: `Profile of ${name}.${comment}` })
  const top = listFrequentValues(table)
  const addColumns = ({ columns, rows }: ShownRows): ShownRows => ({
    columns: [...columns, { name: 'frequent_values', type: 'text', kind: 'text' }],
    rows: rows.map((row, at) => [...row, top[at] || null]),
  })
  if (!(await runQuery(answering, { sql: buildProfileSql(table), addColumns }))) return
  for (const { title, sql } of buildProfileCharts(table)) {
    parts.add({ kind: 'text', text: title })
    await runQuery(answering, { sql })
  }
  parts.add({
    kind: 'follow_ups',
    questions: [`How many ${toReadableName(table.name)}?`, 'What changed since yesterday?'],
  })
}

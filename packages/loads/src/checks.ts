import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { qualifyPlatformTable } from './own-tables.ts'
import { type TypeMismatch, describeMisfit } from './misfit-reason.ts'
import { ROW_COLUMN } from './stage.ts'
import type { Target } from './target.ts'

export interface RuleViolation {
  readonly row: number
  readonly column: string | null
  readonly value: string | null
  readonly reason: string
}

export interface StageRules {
  /** Name of the staging table. */
  readonly stage: string
  readonly required: readonly string[]
  readonly key: readonly string[]
  /** The table, if the rows are appended: their keys must not be in it yet. */
  readonly existingTable?: Target | undefined
  readonly table?: Pick<Target, 'uniques' | 'checks' | 'references'> | undefined
}

/** Only rules over columns with values; those of defaults show on delivery. */
export function listRulesOverColumns(target: Target | undefined, columns: readonly string[]): StageRules['table'] {
  if (!target) return undefined
  const isMapped = (names: readonly string[]) => names.length > 0 && names.every((name) => columns.includes(name))
  return {
    uniques: target.uniques.filter(isMapped),
    checks: target.checks.filter((rule) => isMapped(rule.columns)),
    references: target.references.filter((rule) => isMapped(rule.columns)),
  }
}

/** A cheap check of all staged rows; `findRuleViolations` names the failing ones, at a higher cost. */
export async function matchesRules(session: Session, rules: StageRules): Promise<boolean> {
  const { stage, required, key, existingTable } = rules
  const missing = required.map((name) => `${quoteName(name)} is null`).join(' or ')
  if (missing !== '' && (await hasRows(session, `select 1 from ${qualifyPlatformTable(stage)} where ${missing}`)))
    return false
  for (const { condition } of listTableRuleConditions(rules)) {
    if (await hasRows(session, `select 1 from ${qualifyPlatformTable(stage)} s where ${condition}`)) return false
  }
  for (const names of [key, ...(rules.table?.uniques ?? [])]) {
    if (names.length === 0) continue
    const columns = names.map((name) => quoteName(name)).join(', ')
    const duplicates = `select 1 from ${qualifyPlatformTable(stage)} where ${buildNotNullCondition(names)} group by ${columns} having count(*) > 1`
    if (await hasRows(session, duplicates)) return false
    const existingKeys = `select 1 from ${qualifyPlatformTable(stage)} s join ${existingTable?.quoted} t on ${buildSameKeyCondition(names)}`
    if (existingTable && (await hasRows(session, existingKeys))) return false
  }
  return true
}

const buildNotNullCondition = (names: readonly string[], prefix = '') =>
  names.map((name) => `${prefix}${quoteName(name)} is not null`).join(' and ')

/** CHECK and foreign key violations as SQL conditions on the staging table, whose alias must be `s`. */
function listTableRuleConditions({
  table,
}: StageRules): { columns: readonly string[]; condition: string; reason: string }[] {
  const checks = (table?.checks ?? []).map((rule) => ({
    columns: rule.columns,
    // A CHECK that yields NULL passes.
    condition: `(${rule.expression}) is false`,
    reason: `The row breaks the rule "${rule.name}" of the table.`,
  }))
  const references = (table?.references ?? []).map(({ columns, keys, table: referencedTable }) => {
    const keyConditions = columns
      .map((name, index) => `r.${quoteName(keys[index] ?? '')} = s.${quoteName(name)}`)
      .join(' and ')
    return {
      columns,
      condition: `${buildNotNullCondition(columns, 's.')} and not exists (select from ${referencedTable} r where ${keyConditions})`,
      reason: `There is no row with this value in ${referencedTable}.`,
    }
  })
  return [...checks, ...references]
}

/** For a staging table with the alias `s` and a target table with the alias `t`. */
const buildSameKeyCondition = (key: readonly string[]) =>
  key.map((name) => `s.${quoteName(name)} = t.${quoteName(name)}`).join(' and ')

async function hasRows(session: Session, text: string): Promise<boolean> {
  return (await session.query({ text: `${text} limit 1` })).rows.length > 0
}

/** At most one violation per staged row. The staging table must be numbered (`ROW_COLUMN`). */
export async function findRuleViolations(
  session: Session,
  rules: StageRules,
  maxViolations: number,
): Promise<RuleViolation[]> {
  const { stage, required, key, existingTable } = rules
  const violationQueries = required.map(
    (name) => `select ${ROW_COLUMN} as row_number, ${toSqlLiteral(name)} as column_name, null::text as value,
                        'The value is missing, and the column must have one.' as reason
                 from ${qualifyPlatformTable(stage)} where ${quoteName(name)} is null`,
  )
  for (const { columns, condition, reason } of listTableRuleConditions(rules)) {
    violationQueries.push(
      `select s.${ROW_COLUMN}, ${toSqlLiteral(columns.join(', '))}, ${buildSampleExpression(columns)}, ${toSqlLiteral(reason)}
         from ${qualifyPlatformTable(stage)} s where ${condition}`,
    )
  }
  for (const names of [key, ...(rules.table?.uniques ?? [])]) {
    if (names.length === 0) continue
    const [keyOrValue, columns] = [names === key ? 'key' : 'value', names.map((name) => quoteName(name)).join(', ')]
    violationQueries.push(
      `select s.${ROW_COLUMN}, ${toSqlLiteral(names.join(', '))}, ${buildSampleExpression(names)}, 'Row ' || s.trellis_first_row || ' has the same ${keyOrValue}.'
         from (select *, first_value(${ROW_COLUMN}) over same_key as trellis_first_row, row_number() over same_key as trellis_occurrence
                 from ${qualifyPlatformTable(stage)} where ${buildNotNullCondition(names)}
               window same_key as (partition by ${columns} order by ${ROW_COLUMN})) s where s.trellis_occurrence > 1`,
    )
    if (existingTable) {
      violationQueries.push(
        `select s.${ROW_COLUMN}, ${toSqlLiteral(names.join(', '))}, ${buildSampleExpression(names)}, 'The table already has a row with this ${keyOrValue}.'
           from ${qualifyPlatformTable(stage)} s join ${existingTable.quoted} t on ${buildSameKeyCondition(names)}`,
      )
    }
  }
  if (violationQueries.length === 0) return []
  const { rows } = await session.query({
    text: `select distinct on (row_number) row_number, column_name, value, reason
             from (${violationQueries.join(' union all ')}) violations
            order by row_number, column_name limit ${Math.trunc(maxViolations)}`,
  })
  return rows.map(([row, column, value, reason]) => ({
    row: Number(row),
    column: column ?? null,
    value: value ?? null,
    reason: reason ?? '',
  }))
}

/** The columns' values as one text, for a staging table with the alias `s`. */
const buildSampleExpression = (columns: readonly string[]) =>
  `left(concat_ws(', ', ${columns.map((name) => `s.${quoteName(name)}::text`).join(', ')}), 500)`

const toSqlLiteral = (text: string) => `'${text.replaceAll("'", "''")}'::text`

export async function deleteStagedRows(session: Session, stage: string, rows: readonly number[]): Promise<void> {
  if (rows.length === 0) return
  const text = `delete from ${qualifyPlatformTable(stage)} where ${ROW_COLUMN} = any($1::bigint[])`
  await session.query({ text, values: [`{${rows.join(',')}}`] })
}

const MISFITS_PER_QUERY = 500

/** For each value why it does not fit its type, or null if it fits. Postgres tries the cast; none fails. */
export async function explainMisfits(session: Session, values: readonly TypeMismatch[]): Promise<(string | null)[]> {
  const reasons: (string | null)[] = []
  for (let start = 0; start < values.length; start += MISFITS_PER_QUERY) {
    const batch = values.slice(start, start + MISFITS_PER_QUERY)
    const { rows } = await session.query({
      text: `select (select sql_error_code from pg_input_error_info(cell.value, cell.type))
               from unnest($1::text[], $2::text[]) with ordinality cell(value, type, place) order by cell.place`,
      values: [formatArrayLiteral(batch.map(({ value }) => value)), formatArrayLiteral(batch.map(({ type }) => type))],
    })
    reasons.push(
      ...rows.map(([sqlState], index) => (sqlState ? describeMisfit(sqlState, batch[index] as TypeMismatch) : null)),
    )
  }
  return reasons
}

export const formatArrayLiteral = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : `"${value.replaceAll(/(["\\])/g, '\\$1')}"`)).join(',')}}`

/** Stopped for its size or time, not for its data. */
export const isResourceLimitError = (error: unknown): boolean =>
  error instanceof WorkspaceDbError && ['statement_timeout', 'resource_limit', 'result_too_large'].includes(error.code)

import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { toOwnTableName } from './own-tables.ts'
import { type TypeMismatch, misfitReason } from './misfit-reason.ts'
import { ROW_COLUMN } from './stage.ts'
import type { Target } from './target.ts'

export interface BrokenRule {
  readonly row: number
  readonly column: string | null
  readonly value: string | null
  readonly reason: string
}

export interface Rules {
  readonly stage: string
  readonly required: readonly string[]
  readonly key: readonly string[]
  /** The table, if the rows are appended: their keys must not be in it yet. */
  readonly existing?: Target | undefined
  readonly table?: Pick<Target, 'uniques' | 'checks' | 'references'> | undefined
}

/** Only rules over columns with values; those of defaults show on delivery. */
export function listRulesFor(target: Target | undefined, columns: readonly string[]): Rules['table'] {
  if (!target) return undefined
  const isMapped = (names: readonly string[]) => names.length > 0 && names.every((name) => columns.includes(name))
  return {
    uniques: target.uniques.filter(isMapped),
    checks: target.checks.filter((rule) => isMapped(rule.columns)),
    references: target.references.filter((rule) => isMapped(rule.columns)),
  }
}

/** A cheap check of all rows; failing ones are searched for only if it fails. */
export async function matchesRules(session: Session, rules: Rules): Promise<boolean> {
  const { stage, required, key, existing } = rules
  const missing = required.map((name) => `${quoteName(name)} is null`).join(' or ')
  if (missing !== '' && (await hasRows(session, `select 1 from ${toOwnTableName(stage)} where ${missing}`)))
    return false
  for (const broken of brokenTable(rules)) {
    if (await hasRows(session, `select 1 from ${toOwnTableName(stage)} s where ${broken.condition}`)) return false
  }
  for (const names of [key, ...(rules.table?.uniques ?? [])]) {
    if (names.length === 0) continue
    const columns = names.map((name) => quoteName(name)).join(', ')
    const duplicates = `select 1 from ${toOwnTableName(stage)} where ${buildNotNullCondition(names)} group by ${columns} having count(*) > 1`
    if (await hasRows(session, duplicates)) return false
    const present = `select 1 from ${toOwnTableName(stage)} s join ${existing?.quoted} t on ${keysEqualCondition(names)}`
    if (existing && (await hasRows(session, present))) return false
  }
  return true
}

const buildNotNullCondition = (names: readonly string[], of = '') =>
  names.map((name) => `${of}${quoteName(name)} is not null`).join(' and ')

function brokenTable({ table }: Rules): { columns: readonly string[]; condition: string; reason: string }[] {
  const checks = (table?.checks ?? []).map((rule) => ({
    columns: rule.columns,
    // A CHECK that yields NULL passes.
    condition: `(${rule.expression}) is false`,
    reason: `The row breaks the rule "${rule.name}" of the table.`,
  }))
  const references = (table?.references ?? []).map(({ columns, keys, table: other }) => {
    const pairs = columns.map((name, at) => `r.${quoteName(keys[at] ?? '')} = s.${quoteName(name)}`).join(' and ')
    return {
      columns,
      condition: `${buildNotNullCondition(columns, 's.')} and not exists (select from ${other} r where ${pairs})`,
      reason: `There is no row with this value in ${other}.`,
    }
  })
  return [...checks, ...references]
}

const keysEqualCondition = (key: readonly string[]) =>
  key.map((name) => `s.${quoteName(name)} = t.${quoteName(name)}`).join(' and ')

async function hasRows(session: Session, text: string): Promise<boolean> {
  return (await session.query({ text: `${text} limit 1` })).rows.length > 0
}

export async function findBroken(session: Session, rules: Rules, limit: number): Promise<BrokenRule[]> {
  const { stage, required, key, existing } = rules
  const parts = required.map(
    (
      name,
    ) => `select ${ROW_COLUMN} as r, ${toSqlLiteral(name)} as c, null::text as v, 'The value is missing, and the column must have one.' as w
                 from ${toOwnTableName(stage)} where ${quoteName(name)} is null`,
  )
  for (const { columns, condition, reason } of brokenTable(rules)) {
    parts.push(
      `select s.${ROW_COLUMN}, ${toSqlLiteral(columns.join(', '))}, ${selectSampleText(columns)}, ${toSqlLiteral(reason)}
         from ${toOwnTableName(stage)} s where ${condition}`,
    )
  }
  for (const names of [key, ...(rules.table?.uniques ?? [])]) {
    if (names.length === 0) continue
    const [what, columns] = [names === key ? 'key' : 'value', names.map((name) => quoteName(name)).join(', ')]
    parts.push(
      `select s.${ROW_COLUMN}, ${toSqlLiteral(names.join(', '))}, ${selectSampleText(names)}, 'Row ' || s.f || ' has the same ${what}.'
         from (select *, first_value(${ROW_COLUMN}) over w as f, row_number() over w as n
                 from ${toOwnTableName(stage)} where ${buildNotNullCondition(names)} window w as (partition by ${columns} order by ${ROW_COLUMN})) s where s.n > 1`,
    )
    if (existing) {
      parts.push(
        `select s.${ROW_COLUMN}, ${toSqlLiteral(names.join(', '))}, ${selectSampleText(names)}, 'The table already has a row with this ${what}.'
           from ${toOwnTableName(stage)} s join ${existing.quoted} t on ${keysEqualCondition(names)}`,
      )
    }
  }
  if (parts.length === 0) return []
  const { rows } = await session.query({
    text: `select distinct on (r) r, c, v, w from (${parts.join(' union all ')}) found order by r, c limit ${Math.trunc(limit)}`,
  })
  return rows.map(([row, column, value, reason]) => ({
    row: Number(row),
    column: column ?? null,
    value: value ?? null,
    reason: reason ?? '',
  }))
}

const selectSampleText = (columns: readonly string[]) =>
  `left(concat_ws(', ', ${columns.map((name) => `s.${quoteName(name)}::text`).join(', ')}), 500)`

const toSqlLiteral = (text: string) => `'${text.replaceAll("'", "''")}'::text`

export async function removeRows(session: Session, stage: string, rows: readonly number[]): Promise<void> {
  if (rows.length === 0) return
  const text = `delete from ${toOwnTableName(stage)} where ${ROW_COLUMN} = any($1::bigint[])`
  await session.query({ text, values: [`{${rows.join(',')}}`] })
}

export async function explainMisfits(session: Session, values: readonly TypeMismatch[]): Promise<(string | null)[]> {
  const found: (string | null)[] = []
  for (let from = 0; from < values.length; from += 500) {
    const some = values.slice(from, from + 500)
    const { rows } = await session.query({
      text: `select (select sql_error_code from pg_input_error_info(v, t))
               from unnest($1::text[], $2::text[]) with ordinality x(v, t, n) order by n`,
      values: [formatArrayLiteral(some.map(({ value }) => value)), formatArrayLiteral(some.map(({ type }) => type))],
    })
    found.push(...rows.map(([state], at) => (state ? misfitReason(state, some[at] as TypeMismatch) : null)))
  }
  return found
}

export const formatArrayLiteral = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : `"${value.replaceAll(/(["\\])/g, '\\$1')}"`)).join(',')}}`

/** Stopped for its size or time, not for its data. */
export const isTooCostly = (error: unknown): boolean =>
  error instanceof WorkspaceDbError && ['statement_timeout', 'resource_limit', 'result_too_large'].includes(error.code)

import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { LoadStep } from '@trellis/loads/plan/load-plan'
import { planLoad } from '@trellis/loads/plan/load-plan'
import { type SchemaChange, toChangeId, describeSchemaChange } from '@trellis/loads/plan/schema-change'
import { type ExistingTable, type WantedTable, toPostgresType } from '@trellis/loads/plan/tables'
import { quoteName } from '@trellis/workspace-db/identifiers'

/** SQL of the next run for one table; remarks as SQL comments. */
export interface TablePlan {
  readonly statements: readonly string[]
  /** Type conversions and new keys, which existing rows must satisfy. */
  readonly changes: readonly SchemaChange[]
}

const toSqlComment = (text: string) => `-- ${text.replaceAll(/\s+/g, ' ')}`
const joinNames = (names: readonly string[]) => names.map(quoteName).join(', ')

export function planTable(write: WriteStep, wantedTable: WantedTable, existingTable: ExistingTable | null): TablePlan {
  const table = `${quoteName(write.schema_name)}.${quoteName(write.table_name)}`
  const request = {
    strategy: write.strategy,
    wanted: wantedTable,
    existing: existingTable,
    policy: write.schema_policy,
  }
  const plan = planLoad(request)
  if (plan.do === 'fail') {
    const failureText = `The run fails, because the table is kept as it is. ${plan.changes.map(describeSchemaChange).join(' ')}`
    return { statements: [toSqlComment(failureText)], changes: plan.changes }
  }
  if ('reason' in plan) return { statements: [toSqlComment(plan.reason)], changes: [] }
  if (plan.do === 'load')
    return { statements: toStatements(plan.phases, table, plan.log), changes: listSchemaChanges(plan.phases) }
  const answers = Object.fromEntries(plan.questions.map((change) => [toChangeId(change), 'change' as const]))
  const agreedPlan = planLoad({ ...request, answers })
  return {
    statements: [
      toSqlComment(`The run stops and asks first. ${plan.questions.map(describeSchemaChange).join(' ')}`),
      ...(agreedPlan.do === 'load' ? toStatements(agreedPlan.phases, table, []) : []),
    ],
    changes: plan.questions,
  }
}

type Phases = readonly { readonly steps: readonly LoadStep[] }[]
const listSteps = (phases: Phases): LoadStep[] => phases.flatMap(({ steps }) => steps)

const listSchemaChanges = (phases: Phases): SchemaChange[] =>
  listSteps(phases).flatMap((step) => (step.do === 'alter' ? [step.change] : []))

function toStatements(phases: Phases, table: string, log: readonly string[]): string[] {
  const steps = listSteps(phases)
  const statements = steps.flatMap((step) => toStepStatements(step, table))
  const describedChanges = new Set(listSchemaChanges(phases).map(describeSchemaChange))
  return [...log.filter((line) => !describedChanges.has(line)).map(toSqlComment), ...statements]
}

function toStepStatements(step: LoadStep, table: string): string[] {
  switch (step.do) {
    case 'create_table':
      return [buildCreateTable(table, step.columns, step.primaryKey)]
    case 'create_beside':
      return [buildCreateTable(table, [...step.columns, ...step.emptyColumns], [])]
    case 'create_key':
      return [`alter table ${table} add primary key (${joinNames(step.columns)});`]
    case 'create_index':
      return [`create index on ${table} using ${step.type} (${quoteName(step.column)});`]
    case 'alter':
      return buildAlterTable(table, step.change)
    case 'swap':
      return [
        toSqlComment(
          step.by === 'name'
            ? 'It is built beside the old table and takes its place at once.'
            : 'The table stays, its rows are exchanged at once.',
        ),
      ]
    default:
      return []
  }
}

type Column = { readonly name: string; readonly postgres: string }

function buildCreateTable(table: string, columns: readonly Column[], key: readonly string[]): string {
  const definitions = columns.map(({ name, postgres }) => `${quoteName(name)} ${postgres}`)
  if (key.length > 0) definitions.push(`primary key (${joinNames(key)})`)
  return `create table ${table} (\n  ${definitions.join(',\n  ')}\n);`
}

function buildAlterTable(table: string, change: SchemaChange): string[] {
  const alter = `alter table ${table}`
  switch (change.kind) {
    case 'add':
      return [`${alter} add column ${quoteName(change.column)} ${toPostgresType(change.type)};`]
    case 'widen':
    case 'narrow':
    case 'convert': {
      const [column, type] = [quoteName(change.column), toPostgresType(change.type)]
      return [`${alter} alter column ${column} type ${type} using ${column}::${type};`]
    }
    case 'allow_null':
      return [`${alter} alter column ${quoteName(change.column)} drop not null;`]
    case 'change_key':
      return [`${alter} add primary key (${joinNames(change.to)});`]
    default:
      return []
  }
}

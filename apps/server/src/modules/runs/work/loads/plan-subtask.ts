import type { Reading } from '@trellis/connector-kit/connector'
import { toDataModel } from '@trellis/connector-kit/preview'
import type { Subtask, WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import type { SchemaQuestion } from '@trellis/contract/runs/runs.schemas'
import { type LoadPlan, planLoad } from '@trellis/loads/plan/load-plan'
import {
  type Answer,
  type SchemaChange,
  canKeep,
  changeId,
  describeSchemaChange,
  describeIgnoredChange,
} from '@trellis/loads/plan/schema-change'
import {
  type SourceChange,
  type SourceFields,
  type SourceMemory,
  getAcceptedFields,
  followSource,
  isSourceChange,
} from '@trellis/loads/plan/source-change'
import { type ExistingTable, type WantedTable, getWantedTable } from '@trellis/loads/plan/tables'
import type { Target } from '@trellis/loads/target'
import { RunFault, type RunRequest } from '../../runner/run-work.ts'
import { agreesToChanges } from '../dry-run.ts'
import { findHeldColumn, describeDependentViews } from './held-columns.ts'

export interface PlanSubtaskInput {
  readonly subtask: Pick<Subtask, 'name'>
  readonly write: WriteStep
  readonly reading: Pick<Reading, 'fields' | 'key' | 'cursor' | 'isSampled'>
  readonly target: Target | undefined
  readonly memory: SourceMemory | null
  readonly request: RunRequest
  /** Fields that depend on the block's settings, not on the source. */
  readonly ownFields?: readonly string[]
}

export type ReadyPlan = Extract<LoadPlan, { do: 'load' }> & {
  readonly wanted: WantedTable
  /** Columns hashed to compare source and table. */
  readonly proofKey: readonly string[]
  readonly memory: SourceMemory
  readonly modelFields: SourceFields
  readonly changes: readonly string[]
}

/** Returns the plan, or throws a fault that says what to decide or fix first. */
export function planSubtask(planning: PlanSubtaskInput): ReadyPlan {
  const { write, target, subtask, memory, request: run, ownFields = [] } = planning
  const now = presentFields(planning)
  const followed = followModel(planning, now)
  const wantedTable = toWantedTable(planning, followed)
  const request = {
    strategy: write.strategy,
    wanted: wantedTable,
    existing: target ? toExistingTable(target, wantedTable) : null,
    policy: write.schema_policy,
    answers: { ...memory?.answers, ...run.answers?.[subtask.name] },
    source: memory && sourceChange({ before: memory.fields, now }, write.dataModel, followed),
    ownColumns: ownFields.map((field) => write.dataModel?.column_mapping[field] ?? field),
  }
  const requestedLoadPlan = planLoad(request)
  const settled =
    requestedLoadPlan.do === 'ask' && agreesToChanges(run)
      ? answerChanges(request, requestedLoadPlan.questions)
      : request
  const plan = settled === request ? requestedLoadPlan : planLoad(settled)
  if (plan.do !== 'load') throw planFault(plan, subtask.name, target)
  const { leave } = plan
  const pause = requestedLoadPlan.do === 'ask' && run.is_shadow ? [PAUSES] : []
  return {
    ...plan,
    wanted: wantedTable,
    proofKey: getProofKey(wantedTable, target),
    log: [...listExcludedColumns(planning, followed), ...pause, ...plan.log],
    memory: { fields: now, answers: Object.fromEntries(leave.map((change) => [changeId(change), 'keep' as const])) },
    changes: describeUnaskedChanges(plan, { source: request.source, decided: run.answers?.[subtask.name] ?? {} }),
    modelFields: write.dataModel && followed ? getAcceptedFields({ model: write.dataModel, followed }, leave) : {},
  }
}

/** Without what a person decided on. */
const describeUnaskedChanges = (
  { make, leave }: Pick<ReadyPlan, 'make' | 'leave'>,
  { source, decided }: { source: SourceChange | null; decided: Readonly<Record<string, Answer>> },
): string[] =>
  [...make, ...leave.filter(({ kind }) => kind === 'gone')]
    .filter((change) => isSourceChange(change, source) && decided[changeId(change)] === undefined)
    .map(describeSchemaChange)

const PAUSES = 'A run would pause here and ask whether to make these changes:'

const answerChanges = <R extends { answers: Readonly<Record<string, Answer>> }>(
  request: R,
  open: readonly SchemaChange[],
): R => ({
  ...request,
  answers: { ...request.answers, ...Object.fromEntries(open.map((change) => [changeId(change), 'change' as const])) },
})

/** A sample does not prove that a field is gone or has another type. */
function presentFields({ reading, memory }: PlanSubtaskInput): SourceFields {
  const now = Object.fromEntries(reading.fields.map(({ name, type }) => [name, type]))
  return reading.isSampled ? { ...now, ...memory?.fields } : now
}

/** Null without a data model. A table not created yet uses the model as chosen. */
function followModel({ write, target, memory }: PlanSubtaskInput, now: SourceFields): SourceDataModel | null {
  if (!write.dataModel) return null
  const canFollow = target !== undefined || write.schema_policy === 'evolve'
  return followSource(write.dataModel, now, canFollow ? (memory?.fields ?? null) : null)
}

function sourceChange(
  { before, now }: { before: SourceFields; now: SourceFields },
  model: SourceDataModel | null,
  followed: SourceDataModel | null,
): SourceChange {
  const toColumnName = (field: string) => model?.column_mapping[field] ?? field
  const byColumn = (fields: SourceFields): SourceFields =>
    Object.fromEntries(Object.entries(fields).map(([field, type]) => [toColumnName(field), type]))
  const added = Object.keys(followed?.fields ?? {}).filter((field) => !Object.hasOwn(model?.fields ?? {}, field))
  return { before: byColumn(before), now: byColumn(now), added: added.map(toColumnName) }
}

function planFault(plan: Exclude<LoadPlan, { do: 'load' }>, subtask: string, target: Target | undefined): RunFault {
  switch (plan.do) {
    case 'ask': {
      const { questions } = plan
      const changes = questions.map((change) => toQuestion(change, target))
      const held = [...new Set(changes.flatMap((change) => (change.held ? [change.held.in_words] : [])))]
      return new RunFault('schema_changed', questions.map(describeSchemaChange).join(' '), {
        advice:
          held.length > 0
            ? held.join(' ')
            : 'Accept the changes, keep the table as it is, or change the data model of the block.',
        subtask,
        question: {
          changes,
          ...(held.length > 0 && target && { table: { schema: target.schema, table: target.table } }),
          can_keep: questions.every(canKeep),
          decision: null,
        },
      })
    }
    case 'fail':
      return new RunFault('schema_changed', plan.changes.map(describeSchemaChange).join(' '), {
        advice:
          'The table is kept as it is, so the run fails and nothing is written. Choose “Follow them” or “Ask first” and publish the block to take the changes in.',
        subtask,
      })
    case 'pause':
      return new RunFault('configuration', plan.reason, {
        advice: 'Choose another primary key in the table setup and publish the block.',
        subtask,
      })
    default:
      return new RunFault('configuration', plan.reason, { subtask })
  }
}

/** Append needs no key, but the target table may have one. */
const getProofKey = ({ primaryKey, columns }: WantedTable, target: Target | undefined) => {
  const there = target?.primaryKey ?? []
  if (primaryKey.length > 0) return primaryKey
  return there.every((key) => columns.some(({ name }) => name === key)) ? there : []
}

function toQuestion(change: SchemaChange, target: Target | undefined): SchemaQuestion['changes'][number] {
  const column = findHeldColumn(change, target)
  return {
    id: changeId(change),
    in_words: describeSchemaChange(change),
    if_kept: describeIgnoredChange(change),
    ...(target && column !== undefined && { held: { column, in_words: describeDependentViews(target, column) } }),
  }
}

function toWantedTable({ write, reading, subtask }: PlanSubtaskInput, chosen: SourceDataModel | null): WantedTable {
  const model = chosen ? keepPresentFields(chosen, reading) : inferModel(write, reading)
  const newestBy = reading.cursor !== null && Object.hasOwn(model.fields, reading.cursor) ? reading.cursor : null
  try {
    return getWantedTable(model, newestBy)
  } catch (error) {
    throw new RunFault('configuration', (error as Error).message, { subtask: subtask.name, cause: error })
  }
}

/** Append may insert a key twice, so it infers none. */
function inferModel({ strategy }: WriteStep, reading: PlanSubtaskInput['reading']): SourceDataModel {
  const model = toDataModel(reading)
  return strategy === 'Append' ? { ...model, primary_keys: [] } : model
}

function keepPresentFields(model: SourceDataModel, { fields }: PlanSubtaskInput['reading']): SourceDataModel {
  const there = new Set(fields.map(({ name }) => name))
  const present = Object.entries(model.fields).filter(([field]) => there.has(field))
  return { ...model, fields: Object.fromEntries(present) as Record<string, ColumnType> }
}

const MAX_NAMED = 10

/** A chosen model excludes new columns, which the log lists. */
function listExcludedColumns({ reading }: PlanSubtaskInput, model: SourceDataModel | null): string[] {
  const names = model ? reading.fields.map(({ name }) => name).filter((name) => !Object.hasOwn(model.fields, name)) : []
  if (names.length === 0) return []
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const list = `${names.slice(0, MAX_NAMED).join(', ')}${more}`
  return [
    names.length === 1
      ? `The column ${list} of the source is not in the data model and is ignored.`
      : `Columns of the source that are not in the data model are ignored: ${list}.`,
  ]
}

/** Columns with defaults need no source. */
function toExistingTable(
  { columns, primaryKey, isHeld, heldColumns }: Target,
  wantedTable: WantedTable,
): ExistingTable {
  const isWanted = (name: string) => wantedTable.columns.some((column) => column.name === name)
  const ownValue = new Set(
    columns
      .filter((column) => column.hasDefault || column.isIdentity || column.isGenerated)
      .map(({ name }) => name)
      .filter((name) => !isWanted(name)),
  )
  return {
    columns: columns.map(({ name, type, isNullable }) => ({
      name,
      type,
      isNullable: isNullable || ownValue.has(name),
    })),
    primaryKey: primaryKey.some((name) => ownValue.has(name)) ? [] : primaryKey,
    isHeld,
    heldColumns,
  }
}

import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { PublishPlan } from '@trellis/contract/runs/versions.schemas'
import { findSchemaChanges } from '@trellis/loads/plan/schema-change'
import { type ExistingTable, type WantedTable, getWantedTable } from '@trellis/loads/plan/tables'
import { type Target, findTarget } from '@trellis/loads/target'
import type { Session } from '@trellis/workspace-db/session'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { withTableSession } from '../../explorer/database-tables.service.ts'
import { type BlockRow, findBlocks } from '../blocks.repository.ts'
import { getBlockRow } from '../blocks.service.ts'
import { readCanvasFacts } from '../canvas-facts.ts'
import { listWriteSteps, listWrittenTables } from '../block-tables.ts'
import { findVersion } from '../versions.repository.ts'
import { listSettingChanges } from '../words/setting-lines.ts'
import { type ChangedTable, findColumnReaders, readChangedTable } from './column-readers.ts'
import { type TypeMismatch, findMisfits } from './misfits.ts'
import { findReaders } from './readers.ts'
import { planTable } from './statements.ts'

type Plan = z.infer<typeof PublishPlan>

const READ_TIMEOUT_MS = 5000

export async function planPublish(ctx: WorkspaceCtx, code: string): Promise<Plan> {
  const block = await getBlockRow(ctx, code)
  const blocks = await findBlocks(ctx, block.dataflow_id)
  const facts = await readCanvasFacts(ctx, blocks)
  const live = block.live_version === null ? undefined : await findVersion(ctx, block.id, block.live_version)
  const tables = await withTableSession(ctx, (session) => planTables(session, block), { statementMs: READ_TIMEOUT_MS })
  const { statements = [], misfits = [], changed = [] } = tables ?? {}
  return {
    version: block.version,
    changes: listSettingChanges(live?.settings ?? null, block.settings, facts),
    statements,
    misfits,
    readers: await findReaders(ctx, listWrittenTables(block.settings), block.trellis_code),
    column_readers: await findColumnReaders(ctx, changed, block.trellis_code),
  }
}

interface TablePlans {
  statements: string[]
  misfits: TypeMismatch[]
  changed: ChangedTable[]
}

async function planTables(session: Session, { settings }: BlockRow): Promise<TablePlans> {
  const plans: TablePlans = { statements: [], misfits: [], changed: [] }
  for (const step of listWriteSteps(settings)) {
    const target = await findTarget(session, { schema: step.schema_name, table: step.table_name })
    const wantedTable = toWantedTable(step)
    if (!wantedTable) {
      if (!target) plans.statements.push(describeUnknownTable(step))
      continue
    }
    const existingTable = target ? toExistingTable(target, wantedTable) : null
    const { statements, changes } = planTable(step, wantedTable, existingTable)
    plans.statements.push(...statements)
    if (!target || !existingTable) continue
    plans.misfits.push(...(await findMisfits(session, target, changes)))
    const changedTable = await readChangedTable(session, target, findSchemaChanges(wantedTable, existingTable))
    if (changedTable) plans.changed.push(changedTable)
  }
  return plans
}

const describeUnknownTable = ({ schema_name, table_name }: WriteStep) =>
  `-- ${schema_name}.${table_name} is created by the first run, with the columns it gets.`

/** Without a data model, columns are only known at run time; an invalid one is reported as a fault. */
function toWantedTable({ dataModel }: WriteStep): WantedTable | undefined {
  if (!dataModel) return undefined
  try {
    return getWantedTable(dataModel)
  } catch {
    return undefined
  }
}

/** Columns with defaults need no source. */
function toExistingTable(
  { columns, primaryKey, hasDependents: isHeld, fixedTypeColumns: heldColumns }: Target,
  wantedTable: WantedTable,
): ExistingTable {
  const fillsItself = (column: Target['columns'][number]) =>
    (column.hasDefault || column.isIdentity || column.isGenerated) &&
    !wantedTable.columns.some(({ name }) => name === column.name)
  const selfFilledColumns = new Set(columns.filter(fillsItself).map(({ name }) => name))
  return {
    columns: columns.map(({ name, type, isNullable }) => ({
      name,
      type,
      isNullable: isNullable || selfFilledColumns.has(name),
    })),
    primaryKey: primaryKey.some((name) => selfFilledColumns.has(name)) ? [] : primaryKey,
    hasDependents: isHeld,
    fixedTypeColumns: heldColumns,
  }
}

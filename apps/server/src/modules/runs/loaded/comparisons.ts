import type { Comparison } from '@trellis/contract/runs/comparisons.schemas'
import type { Comparison as Found } from '@trellis/loads/run/shadow/comparison'
import { listComparisons } from '@trellis/loads/run/shadow/save-comparison'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { getRootCode } from '../runs.service.ts'
import { withRunDatabase } from './quarantine.ts'

export async function showComparisons(ctx: WorkspaceCtx, code: string): Promise<{ comparisons: Comparison[] }> {
  const rootCode = await getRootCode(ctx, code)
  const comparisons = await withRunDatabase(ctx, (session) => listComparisons(session, rootCode))
  return { comparisons: comparisons.map(showComparison) }
}

function showComparison({ schema, table, hasTable, changedColumns, strategy, ...found }: Found): Comparison {
  const cells = (values: readonly (string | null)[] | null) => values && [...values]
  return {
    ...found,
    schema_name: schema,
    table_name: table,
    strategy: strategy as Comparison['strategy'],
    has_table: hasTable,
    key: [...found.key],
    changed_columns: [...changedColumns],
    columns: [...found.columns],
    sample: found.sample.map(({ change, before, after }) => ({ change, before: cells(before), after: cells(after) })),
    misfits: [...found.misfits],
    notes: [...found.notes],
  }
}

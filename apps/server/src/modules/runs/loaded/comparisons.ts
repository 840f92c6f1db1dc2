import type { Comparison } from '@trellis/contract/runs/comparisons.schemas'
import type { Comparison as Found } from '@trellis/loads/run/shadow/comparison'
import { listComparisons } from '@trellis/loads/run/shadow/save-comparison'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { getRootCode } from '../runs.service.ts'
import { withRunDatabase } from './quarantine.ts'

export async function readComparisons(ctx: WorkspaceCtx, code: string): Promise<{ comparisons: Comparison[] }> {
  const rootCode = await getRootCode(ctx, code)
  const comparisons = await withRunDatabase(ctx, (session) => listComparisons(session, rootCode))
  return { comparisons: comparisons.map(toComparison) }
}

function toComparison({ schema, table, hasTable, changedColumns, strategy, ...comparison }: Found): Comparison {
  const copyCells = (values: readonly (string | null)[] | null) => values && [...values]
  return {
    ...comparison,
    schema_name: schema,
    table_name: table,
    strategy: strategy as Comparison['strategy'],
    has_table: hasTable,
    key: [...comparison.key],
    changed_columns: [...changedColumns],
    columns: [...comparison.columns],
    sample: comparison.sample.map(({ change, before, after }) => ({
      change,
      before: copyCells(before),
      after: copyCells(after),
    })),
    misfits: [...comparison.misfits],
    notes: [...comparison.notes],
  }
}

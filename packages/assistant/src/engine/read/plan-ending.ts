import type { Having, Plan } from '../plan/plan.ts'
import type { Column, Table } from '../schema/model.ts'

/** What each kind of question decides for itself; finishPlan() adds the rest. */
export interface PlanEnding {
  readonly base: Table | undefined
  readonly columns?: readonly Column[]
  readonly order?: Plan['order']
  readonly limit?: number | null
  readonly having?: readonly Having[]
  readonly share?: Plan['share'] | undefined
  readonly difference?: Plan['difference']
  readonly skipsUnits?: boolean
}

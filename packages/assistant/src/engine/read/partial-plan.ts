import type { GroupCondition, Plan } from '../plan/plan.ts'
import type { Column, Table } from '../schema/model.ts'

/** What each kind of question decides for itself; finishPlan() adds the rest. */
export interface PartialPlan {
  readonly base: Table | undefined
  readonly columns?: readonly Column[]
  readonly order?: Plan['order']
  readonly limit?: number | null
  readonly groupConditions?: readonly GroupCondition[]
  readonly share?: Plan['share'] | undefined
  readonly difference?: Plan['difference']
  readonly ignoresTimeUnits?: boolean
}

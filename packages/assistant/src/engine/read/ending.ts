import type { Having, Plan } from '../plan/plan.ts'
import type { Column, Table } from '../schema/model.ts'

/** How a reading ends: what one kind of question decides by itself. */
export interface Ending {
  readonly base: Table | undefined
  readonly columns?: readonly Column[]
  readonly order?: Plan['order']
  readonly limit?: number | null
  readonly having?: readonly Having[]
  readonly share?: Plan['share'] | undefined
  readonly difference?: Plan['difference']
  /** The unit of time was used already. */
  readonly skipsUnits?: boolean
}

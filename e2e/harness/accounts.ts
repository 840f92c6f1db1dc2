import { openControlDb } from '@trellis/control-db/database'
import { getEnvironment } from './environment.ts'

/** Ends the plan as a cancellation at the payment provider would, without waiting a month. */
export async function endPlan(code: string, endsAt: Date): Promise<void> {
  const control = openControlDb({ url: getEnvironment().databaseUrl, max: 1 })
  try {
    await control.db
      .updateTable('accounts')
      .set({ stripe_plan_cancelled_at: new Date(), stripe_plan_end_date: endsAt })
      .where('trellis_code', '=', code)
      .execute()
  } finally {
    await control.close()
  }
}

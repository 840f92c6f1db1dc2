import type { UsageDay } from '@trellis/contract/utilization/utilization.endpoints'
import { type AccountScope, scoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export async function findUsageDays(scope: AccountScope, since: string): Promise<UsageDay[]> {
  return await scoped(scope, 'usage_days')
    .select(['users', 'workspaces', 'storage_bytes', 'credits_spent'])
    // Read as a date it would be midnight in the server's own time zone, and so the day before in some.
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))
    .where('day', '>=', since)
    .orderBy('usage_days.day')
    .execute()
}

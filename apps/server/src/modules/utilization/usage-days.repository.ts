import type { UsageDay } from '@trellis/contract/utilization/utilization.endpoints'
import { type AccountScope, scoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export async function findUsageDays(scope: AccountScope, since: string): Promise<UsageDay[]> {
  return await scoped(scope, 'usage_days')
    .select(['users', 'workspaces', 'storage_bytes', 'credits_spent'])
    // As text: a date would be parsed as local midnight.
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))
    .where('day', '>=', since)
    .orderBy('usage_days.day')
    .execute()
}

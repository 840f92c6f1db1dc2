import * as z from 'zod/mini'
import { ACCOUNT_ROLES, WORKSPACE_ROLES } from '../core/permissions.ts'
import { Instant } from '../core/shapes.ts'

export const AccountType = z.enum([
  'basic',
  'team',
  'enterprise',
  'enterprise_trellis',
  'experimental_user',
  'testing',
  'internal',
])

export const AccountWorkspace = z.object({
  trellis_code: z.string(),
  name: z.string(),
  workspace_address: z.string(),
  account_trellis_code: z.string(),
  role: z.enum(WORKSPACE_ROLES),
})

export const Account = z.object({
  id: z.int(),
  trellis_code: z.string(),
  name: z.string(),
  account_type: AccountType,
  role: z.enum(ACCOUNT_ROLES),
  stripe_plan_end_date: z.nullable(Instant),
  stripe_plan_renewal_date: z.nullable(Instant),
  stripe_plan_cancelled_at: z.nullable(Instant),
  workspaces: z.array(AccountWorkspace),
})
export type Account = z.infer<typeof Account>

import * as z from 'zod/mini'
import { ACCOUNT_ROLES, WORKSPACE_ROLES } from '../core/permissions.ts'
import { AccountCode, Instant } from '../core/shapes.ts'
import { AccountName } from './names.ts'

const AccountType = z.enum([
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

export const TemporaryAccountCreate = z.object({ name: AccountName })
export const TemporaryAccount = z.object({ id: z.int(), name: z.string() })
export const TemporaryAccountParams = z.object({ temporary_account_id: z.coerce.number().check(z.int(), z.minimum(1)) })

/** Second step of checkout: the server asks the payment provider whether this temporary account was paid. */
export const AccountCreate = z.object({
  temporary_account_id: z.int().check(z.minimum(1)),
  account_type: z.enum(['basic', 'team']),
})

export const AccountPatch = z.object({ account_trellis_code: AccountCode, name: AccountName })
export const OwnershipTransfer = z.object({ receiving_profile_id: z.int() })

export const AccountFlags = z.object({
  is_plan_managed: z.boolean(),
  is_plan_over: z.boolean(),
  can_add_workspaces: z.boolean(),
  can_add_members: z.boolean(),
})

export const DeletedThing = z.object({
  kind: z.enum(['account', 'workspace']),
  trellis_code: z.string(),
  account_trellis_code: z.string(),
  name: z.string(),
  deleted_at: Instant,
  gone_at: Instant,
})
export const DeletedThingParams = z.object({
  kind: z.enum(['account', 'workspace']),
  trellis_code: z.string().check(z.regex(/^[a-z0-9-]{1,60}$/)),
})

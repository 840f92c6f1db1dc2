import * as z from 'zod/mini'
import { WORKSPACE_ROLES } from '../core/permissions.ts'
import { AccountCode, Instant } from '../core/shapes.ts'
import { Email } from '../identity/identity.schemas.ts'

export const Role = z.object({ id: z.int(), name: z.string() })

const MemberProfile = z.object({
  id: z.int(),
  trellis_user_code: z.string(),
  first_name: z.string(),
  surname: z.string(),
  email: z.string(),
  verified_email: z.boolean(),
})

export const Member = z.object({
  is_owner: z.boolean(),
  role_id: z.int(),
  account_trellis_code: z.string(),
  profile: MemberProfile,
})
export type Member = z.infer<typeof Member>

export const WorkspaceMember = z.object({ role: z.enum(WORKSPACE_ROLES), profile: MemberProfile })

export const Invite = z.object({
  id: z.int(),
  account_info: z.object({ account: z.object({ name: z.string(), trellis_code: z.string() }) }),
  inviting_profile: z.object({ first_name: z.string(), surname: z.string(), email: z.string() }),
  invited_at: Instant,
  expires_at: Instant,
  has_accepted: z.boolean(),
  has_expired: z.boolean(),
  has_declined: z.boolean(),
  profile_email: z.string(),
  account_role_id: z.int(),
})
export type Invite = z.infer<typeof Invite>

const WorkspaceRoles = z._default(
  z
    .array(z.object({ workspace_trellis_code: z.string().check(z.maxLength(60)), workspace_role_id: z.int() }))
    .check(z.maxLength(500)),
  [],
)

export const InviteRequest = z
  .array(
    z.object({
      user_email: Email,
      account_role_id: z.int(),
      workspace_roles: WorkspaceRoles,
    }),
  )
  .check(z.minLength(1, 'Add at least one e-mail'), z.maxLength(100, 'Invite at most 100 people at once'))

export const InviteResults = z.record(z.string(), z.object({ status: z.boolean(), message: z.string() }))

export const InviteParams = z.object({
  account_trellis_code: AccountCode,
  account_invite_id: z.coerce.number().check(z.int(), z.minimum(1)),
})
export const InviteIdParams = z.object({
  account_trellis_code: AccountCode,
  id: z.coerce.number().check(z.int(), z.minimum(1)),
})
export const RemoveUser = z.object({
  account_trellis_code: AccountCode,
  granting_profile_id: z.int(),
  receiving_profile_id: z.int(),
})

export const MemberParams = z.object({
  account_trellis_code: AccountCode,
  profile_id: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647)),
})

export const MemberAccess = z.object({
  account_role_id: z.int(),
  workspace_roles: z.array(z.object({ workspace_trellis_code: z.string(), workspace_role_id: z.int() })),
})
export type MemberAccess = z.infer<typeof MemberAccess>

/** Complete: an omitted workspace means no access. Ignored with full control. */
export const MemberAccessChange = z.object({ account_role_id: z.int(), workspace_roles: WorkspaceRoles })

export const MemberAccessEffect = z.object({
  workspace_trellis_code: z.string(),
  workspace_name: z.string(),
  role_before: z.nullable(z.enum(WORKSPACE_ROLES)),
  role_after: z.nullable(z.enum(WORKSPACE_ROLES)),
  database: z.nullable(
    z.object({
      /** Without access, the profile and its logins are deleted and open sessions end. */
      is_removed: z.boolean(),
      logins: z.array(z.string()),
      roles_lost: z.array(z.string()),
      roles_gained: z.array(z.string()),
    }),
  ),
})
export type MemberAccessEffect = z.infer<typeof MemberAccessEffect>

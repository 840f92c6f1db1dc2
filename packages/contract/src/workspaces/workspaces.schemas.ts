import * as z from 'zod/mini'
import { NewWorkspaceAddress, WorkspaceName } from '../accounts/names.ts'
import { WORKSPACE_ROLES } from '../core/permissions.ts'
import { AccountCode, Instant } from '../core/shapes.ts'

const WorkspaceState = z.enum(['provisioning', 'online', 'failed'])

export const Workspace = z.object({
  id: z.int(),
  trellis_code: z.string(),
  name: z.string(),
  workspace_address: z.string(),
  account_trellis_code: z.string(),
  state: WorkspaceState,
  created_at: Instant,
})
export type Workspace = z.infer<typeof Workspace>

export const ProfileContext = z.object({
  workspace: z.object({ name: z.string(), workspace_address: z.string() }),
  role: z.enum(WORKSPACE_ROLES),
})

export const WorkspaceCreate = z.object({
  name: WorkspaceName,
  workspace_address: NewWorkspaceAddress,
  created_by_profile_id: z.optional(z.int()),
})
export const WorkspacePatch = z.object({
  name: WorkspaceName,
  workspace_address: z.optional(z.string().check(z.maxLength(50))),
})
export const WorkspaceQuery = z.object({ workspace_address: z.string().check(z.regex(/^[a-z0-9]{1,50}$/)) })
export const WorkspaceIdParams = z.object({
  account_trellis_code: AccountCode,
  id: z.coerce.number().check(z.int(), z.minimum(0)),
})
export const WorkspaceByIdQuery = z.object({ workspace_address: z.optional(z.string().check(z.maxLength(50))) })

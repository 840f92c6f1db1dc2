import * as z from 'zod/mini'
import { WORKSPACE_ROLES } from '../core/permissions.ts'

/** Who I am in a workspace, as the workspace pages need it on entry. */
export const ProfileContext = z.object({
  workspace: z.object({ name: z.string(), workspace_address: z.string() }),
  role: z.enum(WORKSPACE_ROLES),
})

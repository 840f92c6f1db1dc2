import type { LoginNameQuestion } from '@trellis/contract/database-admin/database-admin.schemas'
import type { output } from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { openDatabase } from '../../../platform/workspace-database/open-database.ts'
import { listWorkspaceMembers } from '../../workspace-members/workspace-members.service.ts'
import { getByCode, toIds, loadStored } from '../access-state.ts'
import { findFreeName } from './login-name.ts'

export async function suggestLoginName(
  ctx: WorkspaceCtx,
  body: output<typeof LoginNameQuestion>,
): Promise<{ login_name: string }> {
  const database = await openDatabase(ctx, body.integration_trellis_code)
  const storedAccess = await loadStored(ctx, database)
  const code = body.profile_trellis_code
  const profile = code === undefined ? undefined : getByCode(storedAccess.profiles, code, 'profile')
  if (profile?.login_name) return { login_name: profile.login_name }
  const people = profile?.profile_id ? await listWorkspaceMembers(ctx) : []
  const person = people.find((candidate) => candidate.profile.id === profile?.profile_id)?.profile
  const login_name = await findFreeName(ctx, database, {
    stored: storedAccess,
    name: person?.first_name ?? profile?.name ?? body.name ?? '',
    role_ids: toIds(storedAccess.roles, body.role_trellis_codes, 'role'),
    group_ids: toIds(storedAccess.groups, body.group_trellis_codes, 'group'),
  })
  return { login_name }
}

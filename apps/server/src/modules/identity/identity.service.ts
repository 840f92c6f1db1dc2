/** What other modules may ask of identity. */
import { AppError } from '../../platform/app-error.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { type ProfileRow, findProfile, updateProfileRow } from './identity.repository.ts'

export { changePassword } from './reset-password.ts'
export type { ProfileRow }

export async function getProfileRow(ctx: Pick<SystemCtx, 'db'>, id: number): Promise<ProfileRow> {
  const profile = await findProfile(ctx, id)
  if (!profile) throw new AppError('not_signed_in', 'This session has ended. Sign in again.')
  return profile
}

export async function changeProfileRow(
  ctx: Pick<SystemCtx, 'db'>,
  id: number,
  change: { first_name?: string; surname?: string; theme_mode?: 'light' | 'dark'; flags?: string },
): Promise<ProfileRow> {
  return await updateProfileRow(ctx, id, change)
}

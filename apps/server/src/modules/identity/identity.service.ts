import type { AnyDb, Db } from '@trellis/control-db/database'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { AppError } from '../../platform/app-error.ts'
import type { PublicCtx, SystemCtx } from '../../platform/ctx.ts'
import { hashPassword } from '../../platform/passwords.ts'
import { findDevice } from './guesses.ts'
import {
  type ProfileRow,
  findAnyProfile,
  findProfile,
  findProfileByEmail,
  insertProfile,
  updateProfileRow,
} from './identity.repository.ts'

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

export async function findKnownDevice(ctx: PublicCtx, email: string): Promise<string | undefined> {
  const profile = await findProfileByEmail(ctx, email)
  return profile && findDevice(ctx, profile)
}

export async function hasProfiles(ctx: { readonly db: AnyDb }, email?: string): Promise<boolean> {
  const db = ctx.db as Db
  const found = email === undefined ? await findAnyProfile({ db }) : await findProfileByEmail({ db }, email)
  return found !== undefined
}

/** Without email verification; for sign-ins the platform creates itself. */
export async function createProfile(
  ctx: Pick<SystemCtx, 'db'>,
  about: { email: string; firstName: string; surname: string; password: string },
): Promise<ProfileRow | undefined> {
  return await insertProfile(ctx, {
    trellis_user_code: generateTrellisCode(),
    email: about.email,
    first_name: about.firstName,
    surname: about.surname,
    password_hash: await hashPassword(about.password),
  })
}

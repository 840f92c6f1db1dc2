import { THEME_CHOSEN_FLAG, type Profile } from '@trellis/contract/profile/profile.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { ProfileCtx } from '../../platform/ctx.ts'
import { type ProfileRow, changeProfileRow, getProfileRow } from '../identity/identity.service.ts'

const MAX_FLAGS = 500

function toProfile(row: ProfileRow): Profile {
  return {
    id: row.id,
    trellis_user_code: row.trellis_user_code,
    first_name: row.first_name,
    surname: row.surname,
    email: row.email,
    has_password: row.password_hash !== null,
    preferences: { themeMode: row.theme_mode },
    flags: row.flags,
  }
}

export async function getOwnProfile(ctx: ProfileCtx): Promise<Profile> {
  return toProfile(await getProfileRow(ctx, ctx.actor.profileId))
}

interface Patch {
  firstName?: string | undefined
  surname?: string | undefined
  preferences?: { themeMode: 'light' | 'dark' } | undefined
}

export async function patchOwnProfile(ctx: ProfileCtx, patch: Patch): Promise<Profile> {
  const names = {
    ...(patch.firstName === undefined ? {} : { first_name: patch.firstName }),
    ...(patch.surname === undefined ? {} : { surname: patch.surname }),
  }
  const theme_mode = patch.preferences?.themeMode
  if (theme_mode === undefined) return toProfile(await changeProfileRow(ctx, ctx.actor.profileId, names))
  return await transaction(ctx, async (ctx) => {
    const { flags } = await getProfileRow(ctx, ctx.actor.profileId)
    const chosen = JSON.stringify({ ...flags, [THEME_CHOSEN_FLAG]: true })
    return toProfile(await changeProfileRow(ctx, ctx.actor.profileId, { ...names, theme_mode, flags: chosen }))
  })
}

export async function patchOwnFlags(ctx: ProfileCtx, patch: Record<string, boolean>): Promise<Profile> {
  return await transaction(ctx, async (ctx) => {
    const { flags } = await getProfileRow(ctx, ctx.actor.profileId)
    const kept = Object.fromEntries(Object.entries({ ...flags, ...patch }).filter(([, value]) => value))
    if (Object.keys(kept).length > MAX_FLAGS)
      throw new AppError('invalid_request', `A profile keeps at most ${MAX_FLAGS} flags.`)
    return toProfile(await changeProfileRow(ctx, ctx.actor.profileId, { flags: JSON.stringify(kept) }))
  })
}

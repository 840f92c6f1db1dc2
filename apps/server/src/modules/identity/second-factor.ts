import { transaction } from '@trellis/control-db/database'
import { Secret, TOTP } from 'otpauth'
import { AppError } from '../../platform/app-error.ts'
import type { ProfileCtx, PublicCtx } from '../../platform/ctx.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import {
  type SecondFactorChange,
  secondFactorChangedMail,
} from '../../platform/mail/templates/second-factor-changed.ts'
import { checkCurrentPassword, trySecondFactor } from './guesses.ts'
import { hashCode, generateRecoveryCode, readRecoveryCode } from './codes.ts'
import {
  type ProfileRow,
  countRecoveryCodes,
  findProfile,
  moveSecondFactorStep,
  replaceRecoveryCodes,
  updateProfileRow,
  useRecoveryCode,
} from './identity.repository.ts'

const RECOVERY_CODES = 10
const PERIOD = 30

const getSecretBox = (profileId: number) => ({ scope: `profile:${profileId}`, field: 'second_factor_secret' })

function createTotp(secret: string, email: string): TOTP {
  return new TOTP({
    issuer: 'Trellis',
    label: email,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD,
    secret: Secret.fromBase32(secret),
  })
}

export async function checkSecondFactor(ctx: PublicCtx, profile: ProfileRow, typed: string): Promise<boolean> {
  return await trySecondFactor(ctx, profile, () => isSecondFactor(ctx, profile, typed))
}

/** Accepts one time step of drift and each code once; or an unused recovery code. */
async function isSecondFactor(ctx: PublicCtx, profile: ProfileRow, typed: string): Promise<boolean> {
  const recovery = readRecoveryCode(typed)
  if (recovery) {
    const hash = hashCode(ctx.ports.pepper, { purpose: 'recovery', owner: String(profile.id), code: recovery })
    return await useRecoveryCode(ctx, profile.id, hash)
  }
  const digits = typed.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits) || !profile.second_factor_secret) return false
  const totp = createTotp(
    await ctx.ports.secrets.open(ctx, getSecretBox(profile.id), profile.second_factor_secret),
    profile.email,
  )
  const timestamp = ctx.clock.now().getTime()
  const delta = totp.validate({ token: digits, timestamp, window: 1 })
  if (delta === null) return false
  return await moveSecondFactorStep(ctx, profile.id, Math.floor(timestamp / 1000 / PERIOD) + delta)
}

async function getOwnProfile(ctx: ProfileCtx): Promise<ProfileRow> {
  const profile = await findProfile(ctx, ctx.actor.profileId)
  if (!profile) throw new AppError('not_signed_in')
  return profile
}

export async function getSecondFactorStatus(ctx: ProfileCtx) {
  const profile = await getOwnProfile(ctx)
  const enabled = profile.second_factor_enabled_at !== null
  return { enabled, recovery_codes_left: enabled ? await countRecoveryCodes(ctx, profile.id) : 0 }
}

export async function startSecondFactor(ctx: ProfileCtx) {
  const profile = await getOwnProfile(ctx)
  if (profile.second_factor_enabled_at) {
    throw new AppError(
      'second_factor_state',
      'Two-factor sign-in is on already. Turn it off first to set up another app.',
    )
  }
  const secret = new Secret({ size: 20 }).base32
  await updateProfileRow(ctx, profile.id, {
    second_factor_secret: await ctx.ports.secrets.seal(ctx, getSecretBox(profile.id), secret),
  })
  return { secret, otpauth_url: createTotp(secret, profile.email).toString() }
}

export async function enableSecondFactor(ctx: ProfileCtx, body: { code: string; password?: string | undefined }) {
  const profile = await getOwnProfile(ctx)
  if (profile.second_factor_enabled_at || !profile.second_factor_secret) {
    throw new AppError('second_factor_state', 'Start the set-up again and scan the new picture.')
  }
  await checkOwnPassword(ctx, profile, body.password)
  if (!(await checkSecondFactor(ctx, profile, body.code))) {
    throw new AppError(
      'second_factor_wrong',
      'The authenticator code is not right. Check the clock of your phone and try again.',
      {
        source: { pointer: '/code' },
      },
    )
  }
  return await transaction(ctx, async (ctx) => {
    await updateProfileRow(ctx, profile.id, { second_factor_enabled_at: ctx.clock.now() })
    await notifyOwner(ctx, profile, 'on')
    return { recovery_codes: await createRecoveryCodes(ctx, profile) }
  })
}

async function createRecoveryCodes(ctx: ProfileCtx, profile: ProfileRow): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, generateRecoveryCode)
  const hashes = codes.map((code) =>
    hashCode(ctx.ports.pepper, { purpose: 'recovery', owner: String(profile.id), code }),
  )
  await replaceRecoveryCodes(ctx, profile.id, hashes)
  return codes
}

export async function renewRecoveryCodes(ctx: ProfileCtx, body: { code: string; password?: string | undefined }) {
  const profile = await getOwnProfile(ctx)
  if (!profile.second_factor_enabled_at)
    throw new AppError('second_factor_state', 'Two-factor sign-in is off. Turn it on to get recovery codes.')
  await checkOwnPassword(ctx, profile, body.password)
  if (!(await checkSecondFactor(ctx, profile, body.code))) {
    throw new AppError('second_factor_wrong', 'The authenticator code is not right.', { source: { pointer: '/code' } })
  }
  return await transaction(ctx, async (ctx) => {
    await notifyOwner(ctx, profile, 'new codes')
    return { recovery_codes: await createRecoveryCodes(ctx, profile) }
  })
}

export async function disableSecondFactor(ctx: ProfileCtx, body: { password: string; code: string }) {
  const profile = await getOwnProfile(ctx)
  if (!profile.second_factor_enabled_at) throw new AppError('second_factor_state', 'Two-factor sign-in is off already.')
  await checkOwnPassword(ctx, profile, body.password)
  if (!(await checkSecondFactor(ctx, profile, body.code))) {
    throw new AppError('second_factor_wrong', 'The authenticator code is not right.', { source: { pointer: '/code' } })
  }
  await transaction(ctx, async (ctx) => {
    await updateProfileRow(ctx, profile.id, { second_factor_enabled_at: null, second_factor_secret: null })
    await replaceRecoveryCodes(ctx, profile.id, [])
    await notifyOwner(ctx, profile, 'off')
  })
  return { done: true as const }
}

async function checkOwnPassword(ctx: ProfileCtx, profile: ProfileRow, password: string | undefined): Promise<void> {
  if (profile.password_hash === null) return
  if (await checkCurrentPassword(ctx, profile, password ?? '')) return
  throw new AppError('password_wrong', 'The password is not right.', { source: { pointer: '/password' } })
}

async function notifyOwner(ctx: ProfileCtx, profile: ProfileRow, change: SecondFactorChange): Promise<void> {
  const { publicUrl } = ctx.ports.config
  await queueMail(ctx, {
    to: profile.email,
    mail: secondFactorChangedMail({ firstName: profile.first_name, change, publicUrl }),
  })
}

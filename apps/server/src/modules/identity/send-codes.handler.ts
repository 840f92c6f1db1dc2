import { transaction } from '@trellis/control-db/database'
import { forgetOldKeys } from '../../platform/idempotency.ts'
import { deleteOldLimits } from '../../platform/rate-limit.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { activationCodeMail } from '../../platform/mail/templates/activation-code.ts'
import { alreadyRegisteredMail } from '../../platform/mail/templates/already-registered.ts'
import { resetCodeMail } from '../../platform/mail/templates/reset-code.ts'
import { CODE_MINUTES, hashCode, generateCode } from './codes.ts'
import { findProfileByEmail, findSignup, replaceResetCode, setSignupCode } from './identity.repository.ts'
import { deleteOldSessions } from './sessions.repository.ts'

const getCodeExpiry = (ctx: SystemCtx) => new Date(ctx.clock.now().getTime() + CODE_MINUTES * 60_000)

export async function handleSendSignupMail(ctx: SystemCtx, payload: { signup_id: string }): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const signup = await findSignup(ctx, payload.signup_id)
    if (!signup) return
    const { publicUrl } = ctx.ports.config
    const profile = await findProfileByEmail(ctx, signup.email)
    if (profile) {
      await queueMail(ctx, {
        to: profile.email,
        mail: alreadyRegisteredMail({ firstName: profile.first_name, publicUrl }),
      })
      return
    }
    const code = generateCode()
    const hash = hashCode(ctx.ports.pepper, { purpose: 'activation', owner: signup.email, code })
    await setSignupCode(ctx, signup.id, { hash, expiresAt: getCodeExpiry(ctx) })
    await queueMail(ctx, {
      to: signup.email,
      mail: activationCodeMail({ firstName: signup.first_name, code, minutes: CODE_MINUTES, publicUrl }),
    })
  })
}

export async function handleSendResetMail(ctx: SystemCtx, payload: { email: string }): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const profile = await findProfileByEmail(ctx, payload.email)
    if (!profile) return
    const code = generateCode()
    await replaceResetCode(ctx, {
      profile_id: profile.id,
      code_hash: hashCode(ctx.ports.pepper, { purpose: 'reset', owner: profile.email, code }),
      expires_at: getCodeExpiry(ctx),
    })
    await queueMail(ctx, {
      to: profile.email,
      mail: resetCodeMail({
        firstName: profile.first_name,
        code,
        minutes: CODE_MINUTES,
        publicUrl: ctx.ports.config.publicUrl,
      }),
    })
  })
}

export async function handleForgetOld(ctx: SystemCtx): Promise<void> {
  await deleteOldSessions(ctx)
  await deleteOldLimits(ctx.db)
  await forgetOldKeys(ctx, new Date(ctx.clock.now().getTime() - 48 * 3_600_000))
}

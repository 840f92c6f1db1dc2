import type { PasswordChange } from '@trellis/contract/profile/profile.schemas'
import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import type * as z from 'zod/mini'
import { consumeLimit } from '../../platform/rate-limit.ts'
import { AppError } from '../../platform/app-error.ts'
import type { ProfileCtx, PublicCtx } from '../../platform/ctx.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { passwordChangedMail } from '../../platform/mail/templates/password-changed.ts'
import { hashPassword } from '../../platform/passwords.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { revokeProfileTokens } from '../tokens/tokens.service.ts'
import { CODE_TRIES, GUESSES_PER_HOUR, hashCode, isSameHash } from './codes.ts'
import { checkCurrentPassword } from './guesses.ts'
import { sendResetMail } from './identity.jobs.ts'
import {
  type ProfileRow,
  consumeResetCode,
  dropResetCodes,
  findProfile,
  findProfileByEmail,
  countResetAttempt,
  updateProfileRow,
} from './identity.repository.ts'
import { endSessions } from './sessions.repository.ts'
import { getSessionId } from './sessions.ts'

const done = { done: true as const }

type ForgotBody = { email: string } | { email: string; confirmation_code: string; new_password: string }

export async function forgotPassword(ctx: PublicCtx, body: ForgotBody) {
  if (!('confirmation_code' in body)) {
    await enqueue(ctx, sendResetMail, { email: body.email })
    return done
  }
  return await resetPassword(ctx, body)
}

/** Unknown email, wrong code and expired code take the same time and give the same answer. */
async function resetPassword(ctx: PublicCtx, body: { email: string; confirmation_code: string; new_password: string }) {
  await consumeLimit(ctx.db, `guess|reset|${body.email.toLowerCase()}`, GUESSES_PER_HOUR)
  const wrong = () => new AppError('code_wrong', 'The code is not right or has expired.')
  const password_hash = await hashPassword(body.new_password)
  const profile = await findProfileByEmail(ctx, body.email)
  const taken = await countResetAttempt(ctx, profile?.id ?? 0, CODE_TRIES)
  const hash = hashCode(ctx.ports.pepper, {
    purpose: 'reset',
    owner: profile?.email ?? body.email,
    code: body.confirmation_code,
  })
  if (!profile || !taken || !isSameHash(taken.code_hash, hash)) throw wrong()
  await transaction(ctx, async (ctx) => {
    if (!(await consumeResetCode(ctx, taken.id))) throw wrong()
    await setPassword(ctx, profile, { password_hash, action: 'passwordReset', tokens: 'revoked' })
    await endSessions(ctx, { profileId: profile.id, reason: 'password reset' })
    await revokeProfileTokens(ctx, profile.id)
  })
  return done
}

export async function changePassword(ctx: ProfileCtx, body: z.infer<typeof PasswordChange>) {
  const profile = await findProfile(ctx, ctx.actor.profileId)
  if (!profile || !(await checkCurrentPassword(ctx, profile, body.current_password))) {
    throw new AppError('password_wrong', 'The current password is not right.', {
      source: { pointer: '/current_password' },
    })
  }
  const password_hash = await hashPassword(body.new_password)
  await transaction(ctx, async (ctx) => {
    const isRevoking = body.revoke_tokens === true
    if (isRevoking) await revokeProfileTokens(ctx, profile.id)
    await setPassword(ctx, profile, {
      password_hash,
      action: 'passwordChanged',
      tokens: isRevoking ? 'revoked' : 'kept',
    })
    ctx.http.addAuditDetail({ tokens: isRevoking ? 'revoked' : 'kept' })
    await endSessions(ctx, { profileId: profile.id, except: getSessionId(ctx), reason: 'password changed' })
  })
  return done
}

async function setPassword(
  ctx: PublicCtx,
  profile: ProfileRow,
  change: { password_hash: string; action: string; tokens: 'kept' | 'revoked' },
): Promise<void> {
  await updateProfileRow(ctx, profile.id, { password_hash: change.password_hash })
  await dropResetCodes(ctx, profile.id)
  await queueMail(ctx, {
    to: profile.email,
    mail: passwordChangedMail({
      firstName: profile.first_name,
      publicUrl: ctx.ports.config.publicUrl,
      tokens: change.tokens,
    }),
  })
  await writeAudit(ctx, {
    action: change.action,
    outcome: 'done',
    profileId: profile.id,
    ip: ctx.http.ip,
    requestId: ctx.requestId,
  })
}

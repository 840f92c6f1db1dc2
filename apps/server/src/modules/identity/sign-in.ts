import { AppError } from '../../platform/app-error.ts'
import type { PublicCtx } from '../../platform/ctx.ts'
import { isPassword } from '../../platform/passwords.ts'
import { writeSignIn } from '../audit/audit.service.ts'
import { findProfileByEmail } from './identity.repository.ts'
import { setDeviceCookie } from './guesses.ts'
import { checkSecondFactor } from './second-factor.ts'
import { openSession } from './sessions.ts'
import { findWaitingSignup } from './sign-up.ts'

/** An unknown email takes the same time and gives the same answer as a wrong password. */
export async function signIn(
  ctx: PublicCtx,
  body: { email: string; password: string; second_factor?: string | undefined },
) {
  const profile = await findProfileByEmail(ctx, body.email)
  const signup = await findWaitingSignup(ctx, body.email)
  // Exactly one hash comparison: a second one would reveal a pending sign-up by timing.
  const isRight = await isPassword(body.password, profile ? profile.password_hash : signup?.password_hash)
  const line = { profileId: profile?.id ?? null, ip: ctx.http.ip, requestId: ctx.requestId }
  if (!profile && isRight) {
    throw new AppError('activation_required', 'Your profile is not activated yet. Enter the code from your e-mail.')
  }
  if (!profile || !isRight) {
    await writeSignIn(ctx, {
      ...line,
      action: 'signIn',
      outcome: 'refused',
      detail: { reason: 'wrong e-mail or password' },
    })
    throw new AppError('credentials_wrong', 'The e-mail or password is not right.')
  }
  if (profile.second_factor_enabled_at) {
    if (!body.second_factor) throw new AppError('second_factor_required', 'Enter the code from your authenticator app.')
    if (!(await checkSecondFactor(ctx, profile, body.second_factor))) {
      await writeSignIn(ctx, {
        ...line,
        action: 'signIn',
        outcome: 'refused',
        detail: { reason: 'wrong second factor' },
      })
      throw new AppError(
        'second_factor_wrong',
        'The authenticator code is not right. Wait for the next one and try again.',
      )
    }
  }
  const token = await openSession(ctx, profile)
  setDeviceCookie(ctx, profile)
  await writeSignIn(ctx, { ...line, action: 'signIn', outcome: 'done' })
  return token
}

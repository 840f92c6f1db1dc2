import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import { consumeLimit } from '../../platform/rate-limit.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { AppError } from '../../platform/app-error.ts'
import type { PublicCtx } from '../../platform/ctx.ts'
import { isPassword } from '../../platform/passwords.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { CODE_TRIES, GUESSES_PER_HOUR, hashCode, isSameHash } from './codes.ts'
import { sendSignupMail } from './identity.jobs.ts'
import {
  consumeSignup,
  dropOtherSignups,
  findLatestSignup,
  findOpenSignups,
  findSignup,
  insertProfile,
  insertSignup,
  countSignupAttempt,
} from './identity.repository.ts'

const SIGNUP_COOKIE = 'trellis_signup'
const SIGNUP_PATH = '/auth'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const done = { done: true as const }

/**
 * Same work and answer for known emails. The cookie ties the code to this browser, so that another sign-up cannot
 * replace it.
 */
export async function signUp(
  ctx: PublicCtx,
  body: { firstName: string; surname: string; email: string },
  password_hash: string,
) {
  const id = await transaction(ctx, async (ctx) => {
    const id = await insertSignup(ctx, {
      email: body.email,
      first_name: body.firstName,
      surname: body.surname,
      password_hash,
    })
    await enqueue(ctx, sendSignupMail, { signup_id: id })
    return id
  })
  ctx.http.setCookie(SIGNUP_COOKIE, id, { path: SIGNUP_PATH, maxAgeSeconds: 86_400 })
  return done
}

export async function resendSignupMail(ctx: PublicCtx, body: { email: string }) {
  const signup = await findWaitingSignup(ctx, body.email)
  if (signup) await enqueue(ctx, sendSignupMail, { signup_id: signup.id })
  return done
}

const wrongCodeError = () => new AppError('code_wrong', 'The code is not right or has expired. Ask for a new one.')

/** One answer for every error: a known email must not stand out. */
export async function confirmSignUp(
  ctx: PublicCtx,
  body: { email: string; code: string; password?: string | undefined },
) {
  const own = (await findOwnSignup(ctx, body.email)) ?? (await findByPassword(ctx, body))
  await consumeLimit(ctx.db, `guess|activation|${body.email.toLowerCase()}`, GUESSES_PER_HOUR)
  const signup = own && (await countSignupAttempt(ctx, own.id, CODE_TRIES))
  const hash = hashCode(ctx.ports.pepper, { purpose: 'activation', owner: body.email, code: body.code })
  if (!signup?.code_hash || !isSameHash(signup.code_hash, hash)) throw wrongCodeError()
  await transaction(ctx, async (ctx) => {
    if (!(await consumeSignup(ctx, signup.id))) throw wrongCodeError()
    const profile = await insertProfile(ctx, {
      trellis_user_code: generateTrellisCode(),
      email: signup.email,
      first_name: signup.first_name,
      surname: signup.surname,
      password_hash: signup.password_hash,
    })
    if (!profile) throw wrongCodeError()
    await dropOtherSignups(ctx, signup.email)
    await writeAudit(ctx, {
      action: 'profileActivated',
      outcome: 'done',
      profileId: profile.id,
      ip: ctx.http.ip,
      requestId: ctx.requestId,
    })
  })
  ctx.http.setCookie(SIGNUP_COOKIE, null, { path: SIGNUP_PATH })
  return done
}

/** Others may have signed up with this email. Without the cookie only the password tells which sign-up is meant. */
async function findByPassword(ctx: PublicCtx, body: { email: string; password?: string | undefined }) {
  if (body.password === undefined) {
    throw new AppError(
      'password_needed',
      'This is another browser than the one you signed up in. Enter the password you chose there.',
      {
        source: { pointer: '/password' },
      },
    )
  }
  const open = await findOpenSignups(ctx, body.email)
  for (const signup of open) if (await isPassword(body.password, signup.password_hash)) return signup
  if (open.length === 0) await isPassword(body.password, null)
  return undefined
}

export async function findWaitingSignup(ctx: PublicCtx, email: string) {
  return (await findOwnSignup(ctx, email)) ?? (await findLatestSignup(ctx, email))
}

async function findOwnSignup(ctx: PublicCtx, email: string) {
  const id = ctx.http.cookie(SIGNUP_COOKIE)
  const signup = id && UUID.test(id) ? await findSignup(ctx, id) : undefined
  return signup?.email.toLowerCase() === email.toLowerCase() ? signup : undefined
}

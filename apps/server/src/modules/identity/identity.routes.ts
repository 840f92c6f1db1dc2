import * as calls from '@trellis/contract/identity/identity.endpoints'
import { handle } from '../../http/handle.ts'
import { forgotPassword } from './reset-password.ts'
import { hashPassword } from '../../platform/passwords.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  getSecondFactorStatus,
  renewRecoveryCodes,
  startSecondFactor,
} from './second-factor.ts'
import { endEveryOwnSession, endOwnSession, listOwnSessions, logOut, refreshSession } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { confirmSignUp, resendSignupMail, signUp } from './sign-up.ts'
import { describeSso, startSso } from './sso.service.ts'

const hashBodyPassword = async ({ body }: { body: { password: string } }) => await hashPassword(body.password)

export const identityRoutes = [
  handle(calls.login, ({ body }, ctx) => signIn(ctx, body)),
  handle(calls.loginAlias, ({ body }, ctx) => signIn(ctx, body)),
  handle(calls.signup, ({ body }, ctx, hash) => signUp(ctx, body, hash), hashBodyPassword),
  handle(calls.signupAlias, ({ body }, ctx, hash) => signUp(ctx, body, hash), hashBodyPassword),
  handle(calls.confirmSignup, ({ body }, ctx) => confirmSignUp(ctx, body)),
  handle(calls.confirmSignupAlias, ({ body }, ctx) => confirmSignUp(ctx, body)),
  handle(calls.resendSignupCode, ({ body }, ctx) => resendSignupMail(ctx, body)),
  handle(calls.forgotPassword, ({ body }, ctx) => forgotPassword(ctx, body)),
  handle(calls.forgotPasswordAlias, ({ body }, ctx) => forgotPassword(ctx, body)),
  handle(calls.refreshToken, ({ body }, ctx) => refreshSession(ctx, body)),
  handle(calls.logout, (_, ctx) => logOut(ctx)),
  handle(calls.getIdentity, async (_, { actor }) => ({
    code: actor.userCode,
    email: actor.email,
    first_name: actor.firstName,
    surname: actor.surname,
  })),
  handle(calls.listSessions, (_, ctx) => listOwnSessions(ctx)),
  handle(calls.endSession, ({ params }, ctx) => endOwnSession(ctx, params.session_id)),
  handle(calls.endAllSessions, (_, ctx) => endEveryOwnSession(ctx)),
  handle(calls.getSecondFactor, (_, ctx) => getSecondFactorStatus(ctx)),
  handle(calls.setUpSecondFactor, (_, ctx) => startSecondFactor(ctx)),
  handle(calls.confirmSecondFactor, ({ body }, ctx) => enableSecondFactor(ctx, body)),
  handle(calls.renewRecoveryCodes, ({ body }, ctx) => renewRecoveryCodes(ctx, body)),
  handle(calls.disableSecondFactor, ({ body }, ctx) => disableSecondFactor(ctx, body)),
  handle(calls.getSsoProvider, (_, ctx) => describeSso(ctx)),
  handle(calls.startSso, (_, ctx) => startSso(ctx)),
]

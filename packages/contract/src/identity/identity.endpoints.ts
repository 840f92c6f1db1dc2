import { defineEndpoint } from '../core/endpoint.ts'
import { Done } from '../core/shapes.ts'
import * as z from 'zod/mini'
import {
  ForgotPassword,
  Identity,
  Login,
  RecoveryCodes,
  ResendCode,
  SecondFactorConfirm,
  SecondFactorDisable,
  SecondFactorSetup,
  SecondFactorStatus,
  Session,
  SessionParams,
  Signup,
  SignupConfirm,
  SsoAnswer,
  SsoCallbackQuery,
  SsoProvider,
  TokenData,
  TokenRefresh,
} from './identity.schemas.ts'

const feature = 'identity'
const base = 'auth'
const permission = 'public'
const MINUTE = 60
const HOUR = 3600

const loginCall = {
  feature,
  base,
  permission,
  method: 'POST',
  summary: 'Sign in with e-mail and password',
  body: Login,
  response: TokenData,
  errors: ['credentials_wrong', 'activation_required', 'second_factor_required', 'second_factor_wrong'],
  limit: {
    name: 'login',
    ip: [60, MINUTE],
    email: [100, 15 * MINUTE],
    emailAndIp: [10, 15 * MINUTE],
    knownDevice: [10, 15 * MINUTE],
    failures: ['credentials_wrong', 'second_factor_wrong'],
  },
} as const
export const login = defineEndpoint({ ...loginCall, id: 'login', path: '/login' })
export const loginAlias = defineEndpoint({ ...loginCall, id: 'loginAlias', path: '/profiles/login' })

const signupCall = {
  feature,
  base,
  permission,
  method: 'POST',
  summary: 'Sign up; a code follows by e-mail',
  body: Signup,
  response: Done,
  creates: true,
  limit: { name: 'signup', ip: [30, HOUR], email: [5, HOUR] },
} as const
export const signup = defineEndpoint({ ...signupCall, id: 'signup', path: '/signup' })
export const signupAlias = defineEndpoint({ ...signupCall, id: 'signupAlias', path: '/profiles/signup' })

const confirmCall = {
  feature,
  base,
  permission,
  method: 'POST',
  summary: 'Activate a profile with the code from the e-mail',
  body: SignupConfirm,
  response: Done,
  errors: ['code_wrong', 'password_needed'],
  limit: { name: 'confirm', ip: [60, 15 * MINUTE], email: [20, 15 * MINUTE] },
} as const
export const confirmSignup = defineEndpoint({ ...confirmCall, id: 'confirmSignup', path: '/signup/confirm' })
export const confirmSignupAlias = defineEndpoint({
  ...confirmCall,
  id: 'confirmSignupAlias',
  path: '/profiles/signup/confirm',
})

export const resendSignupCode = defineEndpoint({
  id: 'resendSignupCode',
  feature,
  base,
  permission,
  method: 'POST',
  path: '/signup/resend-code',
  summary: 'Send a new activation code',
  body: ResendCode,
  response: Done,
  limit: { ip: [30, HOUR], email: [5, HOUR] },
})

const forgotCall = {
  feature,
  base,
  permission,
  method: 'POST',
  summary: 'Ask for a reset code, or set a new password with one',
  body: ForgotPassword,
  response: Done,
  errors: ['code_wrong'],
  limit: { name: 'forgot', ip: [60, HOUR], email: [20, HOUR] },
} as const
export const forgotPassword = defineEndpoint({ ...forgotCall, id: 'forgotPassword', path: '/forgot-password' })
export const forgotPasswordAlias = defineEndpoint({
  ...forgotCall,
  id: 'forgotPasswordAlias',
  path: '/profiles/forgot-password',
})

export const refreshToken = defineEndpoint({
  id: 'refreshToken',
  feature,
  base,
  permission,
  method: 'POST',
  path: '/token/refresh',
  summary: 'Trade the refresh secret for a new access token',
  body: TokenRefresh,
  response: TokenData,
  errors: ['not_signed_in'],
  limit: { ip: [600, MINUTE] },
  quiet: true,
})

export const logout = defineEndpoint({
  id: 'logout',
  feature,
  base,
  permission: 'profile:self',
  method: 'POST',
  path: '/logout',
  summary: 'End this session on the server',
  response: Done,
})

export const getIdentity = defineEndpoint({
  id: 'getIdentity',
  feature,
  base,
  permission: 'profile:self',
  method: 'GET',
  path: '/identity',
  summary: 'Who am I',
  response: Identity,
})

export const listSessions = defineEndpoint({
  id: 'listSessions',
  feature,
  base,
  permission: 'profile:self',
  method: 'GET',
  path: '/sessions',
  summary: 'My open sessions',
  response: z.array(Session),
})

export const endSession = defineEndpoint({
  id: 'endSession',
  feature,
  base,
  permission: 'profile:self',
  method: 'DELETE',
  path: '/sessions/:session_id',
  summary: 'Sign one session out',
  params: SessionParams,
  response: Done,
  errors: ['not_found'],
})

export const endAllSessions = defineEndpoint({
  id: 'endAllSessions',
  feature,
  base,
  permission: 'profile:self',
  method: 'DELETE',
  path: '/sessions',
  summary: 'Sign out everywhere, this session too',
  response: Done,
})

export const getSecondFactor = defineEndpoint({
  id: 'getSecondFactor',
  feature,
  base,
  permission: 'profile:self',
  method: 'GET',
  path: '/second-factor',
  summary: 'Whether two-factor sign-in is on',
  response: SecondFactorStatus,
})

export const setUpSecondFactor = defineEndpoint({
  id: 'setUpSecondFactor',
  feature,
  base,
  permission: 'profile:self',
  method: 'POST',
  path: '/second-factor',
  summary: 'Start setting up an authenticator app',
  response: SecondFactorSetup,
  errors: ['second_factor_state'],
})

export const confirmSecondFactor = defineEndpoint({
  id: 'confirmSecondFactor',
  feature,
  base,
  permission: 'profile:self',
  method: 'POST',
  path: '/second-factor/confirm',
  summary: 'Turn two-factor sign-in on with a first code; shows the recovery codes once',
  body: SecondFactorConfirm,
  response: RecoveryCodes,
  errors: ['second_factor_state', 'second_factor_wrong', 'password_wrong'],
  limit: { ip: [30, 15 * MINUTE] },
})

export const renewRecoveryCodes = defineEndpoint({
  id: 'renewRecoveryCodes',
  feature,
  base,
  permission: 'profile:self',
  method: 'POST',
  path: '/second-factor/recovery-codes',
  summary: 'Make new recovery codes, shown once; the old ones stop working',
  body: SecondFactorConfirm,
  response: RecoveryCodes,
  errors: ['second_factor_state', 'second_factor_wrong', 'password_wrong'],
  limit: { ip: [30, 15 * MINUTE] },
})

export const disableSecondFactor = defineEndpoint({
  id: 'disableSecondFactor',
  feature,
  base,
  permission: 'profile:self',
  method: 'POST',
  path: '/second-factor/disable',
  summary: 'Turn two-factor sign-in off',
  body: SecondFactorDisable,
  response: Done,
  errors: ['second_factor_state', 'second_factor_wrong', 'password_wrong'],
  limit: { ip: [30, 15 * MINUTE] },
})

export const getSsoProvider = defineEndpoint({
  id: 'getSsoProvider',
  feature,
  base,
  permission,
  method: 'GET',
  path: '/sso',
  summary: 'Whether single sign-on is set up, and its name',
  response: SsoProvider,
  limit: { ip: [600, MINUTE] },
})

export const startSso = defineEndpoint({
  id: 'startSso',
  feature,
  base,
  permission,
  method: 'POST',
  path: '/sso/start',
  summary: 'Begin single sign-on; answers with the address to go to',
  response: z.object({ url: z.string() }),
  errors: ['sso_not_configured'],
  limit: { ip: [60, MINUTE] },
  quiet: true,
})

export const ssoCallback = defineEndpoint({
  id: 'ssoCallback',
  feature,
  permission,
  method: 'GET',
  path: '/sso/callback',
  summary: 'Finish single sign-on, or consent for a connection, with what the provider sent back',
  query: SsoCallbackQuery,
  response: SsoAnswer,
  errors: ['sso_not_configured', 'sso_failed', 'not_signed_in', 'forbidden', 'integration_problem'],
  limit: { ip: [60, MINUTE] },
})

export const identityEndpoints = [
  login,
  loginAlias,
  signup,
  signupAlias,
  confirmSignup,
  confirmSignupAlias,
  resendSignupCode,
  forgotPassword,
  forgotPasswordAlias,
  refreshToken,
  logout,
  getIdentity,
  listSessions,
  endSession,
  endAllSessions,
  getSecondFactor,
  setUpSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  disableSecondFactor,
  getSsoProvider,
  startSso,
  ssoCallback,
]

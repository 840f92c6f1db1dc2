export {
  confirmSignup,
  forgotPassword,
  login,
  resendSignupCode,
  signup,
  startSso,
} from '@trellis/contract/identity/identity.endpoints'
export { call } from '../../api/call.ts'
export { isSignedInHere } from './already-signed-in.ts'
export { checks, isEmail } from './checks.ts'
export { completeSignIn } from './enter.ts'
export { finishCallback } from './finish-callback.ts'

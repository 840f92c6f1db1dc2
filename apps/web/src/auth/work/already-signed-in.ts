import { isIdle } from '../../app/session/idle.ts'
import { readProfile } from '../../app/session/stored-data.ts'

export function isSignedInHere(): boolean {
  return readProfile().ok && !isIdle()
}

import { hasNotice } from '../app/session/handover.ts'
import { isIdle } from '../app/session/idle.ts'
import { readProfile } from '../app/session/stored-data.ts'

/** A notice says why the person was sent here, so it is shown instead of sending them straight back. */
export function isSignedInHere(): boolean {
  return readProfile().ok && !isIdle() && !hasNotice()
}

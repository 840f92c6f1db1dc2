import { leaveAfterConsent, leaveConsent } from '../app/session/handover.ts'

/** Where the person comes back to: `next`, which says itself what went wrong; without it, the connection. */
export interface ConsentReturn {
  connection: string
  next?: string
}

/** The consent page belongs to another site, or to the simulator's: the whole document leaves. */
export function goToConsent(url: string, { connection, next }: ConsentReturn): void {
  if (!/^https?:\/\//i.test(url) && !url.startsWith('/')) throw new Error('The consent page has no web address')
  leaveConsent(connection)
  leaveAfterConsent(next ?? null)
  location.assign(url)
}

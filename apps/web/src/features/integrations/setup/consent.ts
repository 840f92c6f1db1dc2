import { leaveConsent } from '../../../app/session/handover.ts'

/** The consent page belongs to another site, or to the simulator's: the whole document leaves. */
export function goToConsent(url: string, connection: string): void {
  if (!/^https?:\/\//i.test(url) && !url.startsWith('/')) throw new Error('The consent page has no web address')
  leaveConsent(connection)
  location.assign(url)
}

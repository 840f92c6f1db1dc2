import { storeAfterConsent, storeConsent } from '../app/session/handover.ts'

/** `next` shows the error itself; without it, return to the connection. */
export interface ConsentReturn {
  connection: string
  next?: string
}

/** A full navigation: the consent page is on another origin. */
export function goToConsent(url: string, { connection, next }: ConsentReturn): void {
  if (!/^https?:\/\//i.test(url) && !url.startsWith('/')) throw new Error('The consent page has no web address')
  storeConsent(connection)
  storeAfterConsent(next ?? null)
  location.assign(url)
}

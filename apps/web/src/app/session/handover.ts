/** Passes a message between the sign-in document and the app, through sessionStorage; read once. */
export interface Notice {
  tone: 'success' | 'error' | 'info'
  text: string
}

const NOTICE_KEY = 'trellis.notice'
const SIGNED_UP_KEY = 'trellis.signed-up'
const NEXT_KEY = 'trellis.next'
const CONSENT_KEY = 'trellis.consent'
const AFTER_CONSENT_KEY = 'trellis.after-consent'
const CONSENT_PROBLEM_KEY = 'trellis.consent-problem'

export function storeNotice(notice: Notice): void {
  sessionStorage.setItem(NOTICE_KEY, JSON.stringify(notice))
}

export function consumeNotice(): Notice | null {
  try {
    const notice = JSON.parse(consumeItem(NOTICE_KEY) ?? 'null') as Notice | null
    return typeof notice?.text === 'string' ? notice : null
  } catch {
    return null
  }
}

export function storeSignedUp(): void {
  sessionStorage.setItem(SIGNED_UP_KEY, '1')
}

export function consumeSignedUp(): boolean {
  return consumeItem(SIGNED_UP_KEY) !== null
}

export function storeNextPath(next: string | null): void {
  if (next === null) sessionStorage.removeItem(NEXT_KEY)
  else sessionStorage.setItem(NEXT_KEY, next)
}

export function consumeNextPath(): string | null {
  return consumeItem(NEXT_KEY)
}

/** The connection that OAuth consent is for, in case the provider's redirect does not name it. */
export function storeConsent(connection: string): void {
  sessionStorage.setItem(CONSENT_KEY, connection)
}

export function consumeConsent(): string | null {
  return consumeItem(CONSENT_KEY)
}

/** Where OAuth consent returns to. */
export function storeAfterConsent(next: string | null): void {
  if (next === null) sessionStorage.removeItem(AFTER_CONSENT_KEY)
  else sessionStorage.setItem(AFTER_CONSENT_KEY, next)
}

export function consumeAfterConsent(): string | null {
  return consumeItem(AFTER_CONSENT_KEY)
}

export function storeConsentProblem(text: string): void {
  sessionStorage.setItem(CONSENT_PROBLEM_KEY, text)
}

export function consumeConsentProblem(): string | null {
  return consumeItem(CONSENT_PROBLEM_KEY)
}

function consumeItem(key: string): string | null {
  const value = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return value
}

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

export function leaveNotice(notice: Notice): void {
  sessionStorage.setItem(NOTICE_KEY, JSON.stringify(notice))
}

export function takeNotice(): Notice | null {
  try {
    const notice = JSON.parse(consumeItem(NOTICE_KEY) ?? 'null') as Notice | null
    return typeof notice?.text === 'string' ? notice : null
  } catch {
    return null
  }
}

export function leaveSignedUp(): void {
  sessionStorage.setItem(SIGNED_UP_KEY, '1')
}

export function takeSignedUp(): boolean {
  return consumeItem(SIGNED_UP_KEY) !== null
}

export function leaveNext(next: string | null): void {
  if (next === null) sessionStorage.removeItem(NEXT_KEY)
  else sessionStorage.setItem(NEXT_KEY, next)
}

export function takeNext(): string | null {
  return consumeItem(NEXT_KEY)
}

/** The connection that OAuth consent is for, in case the provider's redirect does not name it. */
export function leaveConsent(connection: string): void {
  sessionStorage.setItem(CONSENT_KEY, connection)
}

export function takeConsent(): string | null {
  return consumeItem(CONSENT_KEY)
}

export function leaveAfterConsent(next: string | null): void {
  if (next === null) sessionStorage.removeItem(AFTER_CONSENT_KEY)
  else sessionStorage.setItem(AFTER_CONSENT_KEY, next)
}

export function takeAfterConsent(): string | null {
  return consumeItem(AFTER_CONSENT_KEY)
}

export function leaveConsentProblem(text: string): void {
  sessionStorage.setItem(CONSENT_PROBLEM_KEY, text)
}

export function takeConsentProblem(): string | null {
  return consumeItem(CONSENT_PROBLEM_KEY)
}

function consumeItem(key: string): string | null {
  const value = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return value
}

/** Errors of this mail. Others, such as a wrong password, may be fixed meanwhile. */
const ABOUT_THIS_MAIL = new Set(['EENVELOPE', 'EMESSAGE'])

export function isPermanent(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return code !== undefined && ABOUT_THIS_MAIL.has(code) && responseCode !== undefined && responseCode >= 500
}

const SECONDS = [10, 30, 60, 120, 300, 600, 1200]

export const MAX_SEND_ATTEMPTS = SECONDS.length + 1

/** Starts short, since a code is valid for 15 minutes. */
export function waitAfter(attempts: number): number {
  return SECONDS[Math.min(attempts, SECONDS.length) - 1] ?? 10
}

export function formatError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, 500)
}

import * as z from 'zod/mini'

const MAX_EMAILS = 20
const Email = z.email()
const Url = z.url()

export const parseEmails = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]

export function findEmailsProblem(text: string): string | undefined {
  const emails = parseEmails(text)
  const wrong = emails.find((email) => !z.safeParse(Email, email).success)
  if (wrong !== undefined) return `“${wrong}” is not a valid email address`
  return emails.length > MAX_EMAILS ? `At most ${MAX_EMAILS} addresses can be told` : undefined
}

export function findWebhookProblem(text: string): string | undefined {
  const url = text.trim()
  if (url === '') return undefined
  const isUrl = z.safeParse(Url, url).success && /^https?:/i.test(url)
  return isUrl ? undefined : 'Enter an address that begins with https:// or http://'
}

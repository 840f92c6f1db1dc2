import { Email } from '@trellis/contract/identity/identity.schemas'
import * as z from 'zod/mini'

export const INVALID_EMAIL = 'Invalid email address'
const SEPARATORS = /[\s,;]+/

export function isEmail(text: string): boolean {
  return z.safeParse(Email, text).success
}

/** Ignores duplicates, case-insensitively. */
export function withTyped(emails: readonly string[], inputText: string): string[] {
  const list = [...emails]
  for (const item of inputText.split(SEPARATORS).filter(Boolean)) {
    if (!list.some((listedEmail) => listedEmail.toLowerCase() === item.toLowerCase())) list.push(item)
  }
  return list
}

/** A separator was typed, or several addresses pasted. */
export function isFinished(text: string): boolean {
  return SEPARATORS.test(text.trimStart())
}

import { randomInt } from 'node:crypto'

const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789'

export const toReadableText = (length: number) =>
  Array.from({ length }, () => READABLE[randomInt(READABLE.length)]).join('')

export function generateTrellisCode(): string {
  return toReadableText(12)
}

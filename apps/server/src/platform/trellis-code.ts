import { randomInt } from 'node:crypto'

/** Letters and digits that nobody mixes up when reading them out. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789'

export const readableText = (length: number) =>
  Array.from({ length }, () => READABLE[randomInt(READABLE.length)]).join('')

/** Opaque, readable, unguessable names for what appears in addresses and answers. */
export function newTrellisCode(): string {
  return readableText(12)
}

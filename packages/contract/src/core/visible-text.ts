import * as z from 'zod/mini'

/**
 * Controls, zero-width and direction-override characters, line separators, half surrogate pairs: a name with one of
 * them reads as another name, or as none.
 */
const INVISIBLE = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`

const ANY_INVISIBLE = new RegExp(`[${INVISIBLE}]`, 'u')

export const hasInvisible = (text: string): boolean => ANY_INVISIBLE.test(text)

/** For every name a person gives to something. */
export const visibleName = z.regex(new RegExp(`^[^${INVISIBLE}]*$`, 'u'), 'Remove the invisible characters')

/** For longer texts: line breaks and tabs are theirs, and the joiners that emoji and some scripts are written with. */
export const visibleText = z.regex(
  new RegExp(`^(?:[^${INVISIBLE}]|[\\t\\r\\n\\u200c\\u200d])*$`, 'u'),
  'Remove the invisible characters',
)

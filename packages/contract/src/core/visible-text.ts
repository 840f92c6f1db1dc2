import * as z from 'zod/mini'

/**
 * Controls, zero-width and bidi characters, line separators, lone surrogates: such a name is displayed as another name,
 * or as none.
 */
const INVISIBLE = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`

const ANY_INVISIBLE = new RegExp(`[${INVISIBLE}]`, 'u')

export const hasInvisible = (text: string): boolean => ANY_INVISIBLE.test(text)

export const visibleName = z.regex(new RegExp(`^[^${INVISIBLE}]*$`, 'u'), 'Remove the invisible characters')

/** Multi-line texts: line breaks, tabs and the joiners of emoji and some scripts are allowed. */
export const visibleText = z.regex(
  new RegExp(`^(?:[^${INVISIBLE}]|[\\t\\r\\n\\u200c\\u200d])*$`, 'u'),
  'Remove the invisible characters',
)

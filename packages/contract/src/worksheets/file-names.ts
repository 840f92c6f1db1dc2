import * as z from 'zod/mini'
import { hasInvisible } from '../core/visible-text.ts'

export const MAX_NAME_LENGTH = 120
/** Reserved by Windows: a clone could not be checked out there. */
const UNSAFE_CHARACTERS = /[\\/:*?"<>|]/
const UNSAFE_NAMES = /^(?:\.{1,2}|\.git|git~\d+|(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?)$/i

/** Also enforced on `git push`. */
export function findNameProblem(name: string): string | undefined {
  if (name === '') return 'Field required'
  if (name.length > MAX_NAME_LENGTH) return `Name must be at most ${MAX_NAME_LENGTH} characters long`
  if (hasInvisible(name)) return 'Name may not have invisible characters'
  if (UNSAFE_CHARACTERS.test(name)) return 'Name may not have any of \\ / : * ? " < > |'
  if (/^ |[ .]$/.test(name)) return 'Name may not begin with a space or end with a space or dot'
  if (UNSAFE_NAMES.test(name)) return 'This name is used by git or by an operating system. Choose another one.'
  return undefined
}

export const FileName = z.string({ error: 'Field required' }).check(
  z.trim(),
  z.normalize('NFC'),
  z.check((context) => {
    const problem = findNameProblem(context.value)
    if (problem !== undefined) context.issues.push({ code: 'custom', message: problem, input: context.value })
  }),
)

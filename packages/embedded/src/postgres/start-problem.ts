/** An error the operator can fix: shown as one sentence, without a stack trace. */
export interface StartProblem extends Error {
  readonly name: 'StartProblem'
}

export function startError(sentence: string, cause?: unknown): StartProblem {
  const error = new Error(sentence, { cause })
  error.name = 'StartProblem'
  return error as StartProblem
}

export function isStartProblem(error: unknown): error is StartProblem {
  return error instanceof Error && error.name === 'StartProblem'
}

const sentences: Record<string, (path: string) => string> = {
  ENOSPC: (path) => `The disk is full: nothing more can be written to ${path}. Free some space and start again.`,
  EDQUOT: (path) =>
    `Your disk quota is used up: nothing more can be written to ${path}. Free some space and start again.`,
  EROFS: (path) => `${path} is on a read-only disk. Set TRELLIS_HOME to a folder that can be written.`,
  EACCES: (path) =>
    `${path} cannot be written by this user. Change its permissions, or set TRELLIS_HOME to another folder.`,
  EPERM: (path) => `${path} cannot be changed by this user. Change its owner, or set TRELLIS_HOME to another folder.`,
  ENOTDIR: (path) => `${path} cannot be used as a folder: a file is in the way. Set TRELLIS_HOME to another folder.`,
  EEXIST: (path) => `${path} cannot be used as a folder: a file is in the way. Set TRELLIS_HOME to another folder.`,
}

export function isDiskFullMessage(output: string): boolean {
  return /No space left on device|Check free disk space|wrote only \d+ of \d+ bytes/i.test(output)
}

export function toStartProblem(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = sentences[code]
  return sentence ? startError(sentence(path), error) : error
}

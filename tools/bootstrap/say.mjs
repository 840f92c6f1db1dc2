/** Progress goes to the error stream, so that a command's own output stays clean for programs reading it. */
export function say(line) {
  process.stderr.write(`  ${line}\n`)
}

/** A failure a person can put right: printed as one sentence, without a stack trace. */
export function problem(sentence) {
  const error = new Error(sentence)
  error.name = 'Problem'
  return error
}

const fileSentences = {
  ENOSPC: (path) => `The disk is full: ${path} could not be written. Free some space and try again.`,
  EDQUOT: (path) => `Your disk quota is used up: ${path} could not be written. Free some space and try again.`,
  EROFS: (path) => `${path} is on a read-only disk. Copy Trellis to a folder that can be written.`,
  EACCES: (path) =>
    `${path} cannot be written by this user. Change its permissions, or copy Trellis to a folder of your own.`,
  EPERM: (path) => `${path} cannot be changed by this user. Change its owner, or copy Trellis to a folder of your own.`,
}

/** The sentence for a failed file operation; nothing when the failure is of another kind. */
export function findFileSentence(error, path) {
  return fileSentences[error?.code]?.(error.path ?? path)
}

export function asProblem(error, path) {
  const sentence = findFileSentence(error, path)
  return sentence ? problem(sentence) : error
}

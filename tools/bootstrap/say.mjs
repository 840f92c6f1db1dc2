/** To stderr, so that stdout has only the command's output. */
export function say(line) {
  process.stderr.write(`  ${line}\n`)
}

/** Printed as one sentence, without a stack trace. */
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

export function findFileSentence(error, path) {
  return fileSentences[error?.code]?.(error.path ?? path)
}

export function asProblem(error, path) {
  const sentence = findFileSentence(error, path)
  return sentence ? problem(sentence) : error
}

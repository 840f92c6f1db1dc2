function countShared(word: string, part: string): number {
  let shared = 0
  while (shared < word.length && word[shared] === part[shared]) shared += 1
  return shared
}

/** `subscriber` matches `subscription`; `payer` does not match `payment`, as too few letters are shared. */
export const isAgentNoun = (word: string, action: string): boolean =>
  /(?:er|or)$/.test(word) && /(?:ion|ment)$/.test(action) && countShared(word, action) >= Math.max(5, word.length - 3)

/** From 0, unrelated, to 0.95. A prefix, an abbreviation or one typing mistake count as similar. */
export function scoreSimilarity(word: string, part: string): number {
  if (part.length < 3) return 0
  const shared = countShared(word, part)
  if (isAgentNoun(word, part)) return 0.9
  if (shared >= 5 && shared / Math.max(word.length, part.length) >= 0.6) return 0.95
  if (shared >= 4 && shared === Math.min(word.length, part.length)) return 0.85
  if (part.length >= 3 && part.length < word.length && part[0] === word[0] && isSubsequence(part, word)) {
    return part.length / word.length >= 0.3 && !/[aeiou]/.test(part.slice(1)) ? 0.85 : 0
  }
  if (word.length >= 5 && part.length >= 5 && isOneEdit(word, part)) return 0.9
  return 0
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0
  for (const letter of long) if (letter === short[at]) at += 1
  return at === short.length
}

function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const [restA, restB] = [a.slice(at), b.slice(at)]
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA.length > 1 && restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  )
}

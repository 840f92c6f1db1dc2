function countSharedLetters(word: string, namePart: string): number {
  let shared = 0
  while (shared < word.length && word[shared] === namePart[shared]) shared += 1
  return shared
}

/** `subscriber` matches `subscription`; `payer` does not match `payment`, as too few letters are shared. */
export const isAgentNoun = (word: string, actionNoun: string): boolean =>
  /(?:er|or)$/.test(word) &&
  /(?:ion|ment)$/.test(actionNoun) &&
  countSharedLetters(word, actionNoun) >= Math.max(5, word.length - 3)

/** From 0, unrelated, to 0.95. A prefix, an abbreviation or one typing mistake count as similar. */
export function scoreSimilarity(word: string, namePart: string): number {
  if (namePart.length < 3) return 0
  const sharedLetters = countSharedLetters(word, namePart)
  if (isAgentNoun(word, namePart)) return 0.9
  if (sharedLetters >= 5 && sharedLetters / Math.max(word.length, namePart.length) >= 0.6) return 0.95
  if (sharedLetters >= 4 && sharedLetters === Math.min(word.length, namePart.length)) return 0.85
  if (
    namePart.length >= 3 &&
    namePart.length < word.length &&
    namePart[0] === word[0] &&
    isSubsequence(namePart, word)
  ) {
    return namePart.length / word.length >= 0.3 && !/[aeiou]/.test(namePart.slice(1)) ? 0.85 : 0
  }
  if (word.length >= 5 && namePart.length >= 5 && isOneEditApart(word, namePart)) return 0.9
  return 0
}

/** `qty` in "quantity" */
function isSubsequence(short: string, long: string): boolean {
  let matchedLetters = 0
  for (const letter of long) if (letter === short[matchedLetters]) matchedLetters += 1
  return matchedLetters === short.length
}

/** One letter is added, missing, replaced or swapped with its neighbour. */
function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let sharedLetters = 0
  while (sharedLetters < a.length && a[sharedLetters] === b[sharedLetters]) sharedLetters += 1
  const [restA, restB] = [a.slice(sharedLetters), b.slice(sharedLetters)]
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA.length > 1 && restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  )
}

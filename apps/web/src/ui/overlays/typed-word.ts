/** Whether the word was typed, whatever its case. */
export function isTypedWord(typed: string, word: string): boolean {
  return typed.trim().toLowerCase() === word.toLowerCase()
}

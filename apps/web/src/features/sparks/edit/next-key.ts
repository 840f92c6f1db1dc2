export function createNextKey(word: string, existingItems: readonly { key: string }[]): string {
  const keys = new Set(existingItems.map(({ key }) => key))
  let number = 1
  while (keys.has(`${word}_${number}`)) number += 1
  return `${word}_${number}`
}

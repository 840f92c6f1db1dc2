import type { Platform } from '@trellis/contract/integrations/integrations.schemas'

/** All words in any order, in name, summary or tags; all chosen tags. */
export function foundPlatforms(platforms: readonly Platform[], search: string, tag: string | null): Platform[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return platforms
    .filter((platform) => platform.can_be_set_up)
    .filter((platform) => tag === null || platform.tags.some((other) => other === tag))
    .filter(({ name, summary, tags }) => {
      const text = `${name} ${summary} ${tags.join(' ')}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted((a, b) => rank(a, words) - rank(b, words) || a.name.localeCompare(b.name))
}

function rank({ name }: Platform, words: readonly string[]): number {
  return words[0] !== undefined && name.toLowerCase().startsWith(words[0]) ? 0 : 1
}

/** In the contract's order. */
export function tagCounts(platforms: readonly Platform[], order: readonly string[]): { tag: string; count: number }[] {
  const shownPlatforms = platforms.filter((platform) => platform.can_be_set_up)
  return order
    .map((tag) => ({ tag, count: shownPlatforms.filter(({ tags }) => tags.some((other) => other === tag)).length }))
    .filter(({ count }) => count > 0)
}

import type { Platform } from '@trellis/contract/integrations/integrations.schemas'

/** Words in any order, in the name, the summary or the tags; and all of the chosen tags. */
export function foundPlatforms(platforms: readonly Platform[], search: string, tag: string | null): Platform[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return platforms
    .filter((platform) => platform.can_be_set_up)
    .filter((platform) => tag === null || platform.tags.some((one) => one === tag))
    .filter(({ name, summary, tags }) => {
      const text = `${name} ${summary} ${tags.join(' ')}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted((a, b) => rank(a, words) - rank(b, words) || a.name.localeCompare(b.name))
}

/** A name that begins with what was typed comes first. */
function rank({ name }: Platform, words: readonly string[]): number {
  return words[0] !== undefined && name.toLowerCase().startsWith(words[0]) ? 0 : 1
}

/** Tags that something in the catalogue has, in the contract's order, with how many have them. */
export function tagCounts(platforms: readonly Platform[], order: readonly string[]): { tag: string; count: number }[] {
  const shown = platforms.filter((platform) => platform.can_be_set_up)
  return order
    .map((tag) => ({ tag, count: shown.filter(({ tags }) => tags.some((one) => one === tag)).length }))
    .filter(({ count }) => count > 0)
}

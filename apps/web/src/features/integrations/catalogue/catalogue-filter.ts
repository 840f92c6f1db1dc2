import type { Platform } from '@trellis/contract/integrations/integrations.schemas'

/** All words in any order, in name, summary or tags; all chosen tags. */
export function foundPlatforms(platforms: readonly Platform[], search: string, tag: string | null): Platform[] {
  const searchTerms = search.toLowerCase().split(/\s+/).filter(Boolean)
  return platforms
    .filter((platform) => platform.can_be_set_up)
    .filter((platform) => tag === null || platform.tags.some((candidate) => candidate === tag))
    .filter(({ name, summary, tags }) => {
      const text = `${name} ${summary} ${tags.join(' ')}`.toLowerCase()
      return searchTerms.every((word) => text.includes(word))
    })
    .toSorted((a, b) => rank(a, searchTerms) - rank(b, searchTerms) || a.name.localeCompare(b.name))
}

function rank({ name }: Platform, searchTerms: readonly string[]): number {
  return searchTerms[0] !== undefined && name.toLowerCase().startsWith(searchTerms[0]) ? 0 : 1
}

/** In the contract's order. */
export function tagCounts(platforms: readonly Platform[], order: readonly string[]): { tag: string; count: number }[] {
  const shownPlatforms = platforms.filter((platform) => platform.can_be_set_up)
  return order
    .map((tag) => ({
      tag,
      count: shownPlatforms.filter(({ tags }) => tags.some((candidate) => candidate === tag)).length,
    }))
    .filter(({ count }) => count > 0)
}

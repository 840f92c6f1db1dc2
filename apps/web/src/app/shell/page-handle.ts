import type { Crumb } from '../../ui/layout/Breadcrumbs.tsx'

export interface PageHandle {
  title?: string | ((params: Readonly<Record<string, string | undefined>>) => string)
  back?: string
}

export interface PageMatch {
  pathname: string
  params?: Readonly<Record<string, string | undefined>>
  handle: unknown
}

const getHandle = (match: PageMatch) => (match.handle ?? {}) as PageHandle

function getTitle(match: PageMatch): string | undefined {
  const { title } = getHandle(match)
  return typeof title === 'function' ? title(match.params ?? {}) : title
}

export function documentTitle(matches: readonly PageMatch[]): string {
  const titles = matches.map(getTitle).filter((title) => title !== undefined)
  return [...new Set([...titles.toReversed(), 'Trellis'])].join(' · ')
}

export function buildCrumbs(matches: readonly PageMatch[]): Crumb[] {
  return matches.flatMap((match) => {
    const title = getTitle(match)
    return title === undefined ? [] : [{ label: title, to: match.pathname }]
  })
}

export function findBackPath(matches: readonly PageMatch[]): string | undefined {
  return matches.map((match) => getHandle(match).back).findLast((back) => back !== undefined)
}

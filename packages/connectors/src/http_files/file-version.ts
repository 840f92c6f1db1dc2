/** What a response tells of the version of its file. */
export interface FileVersion {
  /** Null: not told. */
  readonly tag: string | null
  readonly modified: string | null
  /** Whether `modified` can tell versions apart: not if it is the time of the response, as of generated files. */
  readonly isDated: boolean
  readonly total: number | undefined
}

export function readFileVersion({ status, headers }: Response): FileVersion {
  const modified = headers.get('last-modified')
  const total =
    status === 206 ? /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] : headers.get('content-length')
  return {
    tag: headers.get('etag'),
    modified,
    isDated: modified !== null && !(Date.parse(headers.get('date') ?? '') - Date.parse(modified) < 1000),
    total: total === undefined || total === null ? undefined : Number(total),
  }
}

const isWeak = (tag: string) => tag.startsWith('W/')

/** If-Match never matches a weak tag, and a server ignores the date beside it. */
export function buildConditions({ tag, modified, isDated }: FileVersion): Record<string, string> {
  if (tag !== null && !isWeak(tag)) return { 'if-match': tag }
  return modified !== null && isDated ? { 'if-unmodified-since': modified } : {}
}

/** For servers that ignore conditions. A weak tag may stay the same when bytes change. */
export function isSameVersion(first: FileVersion, now: FileVersion): boolean {
  const opaque = (tag: string | null) => tag?.replace(/^W\//, '')
  if (opaque(first.tag) !== opaque(now.tag)) return false
  const isProven = first.tag !== null && now.tag !== null && !isWeak(first.tag) && !isWeak(now.tag)
  return isProven || !first.isDated || first.modified === now.modified
}

export const isSameSize = (first: FileVersion, now: FileVersion): boolean =>
  first.total === undefined || now.total === undefined || first.total === now.total

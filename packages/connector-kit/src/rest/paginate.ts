import type { RestPaginator } from '@trellis/contract/integrations/rest-manifest'
import { ConnectorError } from '../connector-error.ts'
import { getField, getValue } from './path.ts'

/** Undefined is the first page. Part of the checkpoint. */
export type PageToken = string | number

export interface PageAnswer {
  readonly body: unknown
  readonly headers: Headers
  readonly records: readonly unknown[]
  readonly fullest?: number | undefined
}

export interface PagePart {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, string | number>>
  readonly address?: string
}

const NOTHING: RestPaginator = { type: 'none' }

export function toPagePart(paginator: RestPaginator = NOTHING, token: PageToken | undefined): PagePart {
  switch (paginator.type) {
    case 'none':
      return {}
    case 'page':
      return { query: { [paginator.parameter]: String(token ?? paginator.first ?? 1), ...toSizeParameter(paginator) } }
    case 'offset':
      return { query: { [paginator.parameter]: String(token ?? 0), ...toSizeParameter(paginator) } }
    case 'cursor': {
      const isBody = paginator.in === 'body'
      const size = toSizeParameter(paginator)
      // Without a parameter name the request itself contains {{ page.token }}.
      const own = token === undefined || paginator.parameter === '' ? {} : { [paginator.parameter]: token }
      if (isBody) return { body: { ...own, ...toNumberRecord(size) } }
      return { query: { ...toTextRecord(own), ...size } }
    }
    case 'next_url':
    case 'link_header':
      return token === undefined ? {} : { address: String(token) }
  }
}

export function getNextToken(
  paginator: RestPaginator = NOTHING,
  answer: PageAnswer,
  token: PageToken | undefined,
): PageToken | undefined {
  const count = answer.records.length
  switch (paginator.type) {
    case 'none':
      return undefined
    case 'page': {
      const page = Number(token ?? paginator.first ?? 1)
      return isEnd(count, answer.fullest) ? undefined : page + 1
    }
    case 'offset':
      // Advances by what was returned: a platform may return fewer records than requested.
      return isEnd(count, answer.fullest) ? undefined : Number(token ?? 0) + count
    case 'cursor':
      return getNextCursor(paginator, answer)
    case 'next_url':
      return toPageToken(getValue(answer.body, paginator.url))
    case 'link_header':
      return findLink(answer.headers.get('link'), 'next')
  }
}

/** Compares with the fullest page: a platform may return fewer than requested on every page. */
const isEnd = (count: number, fullest: number | undefined) => count === 0 || (fullest !== undefined && count < fullest)

function getNextCursor(
  { token: path, has_more: more, size }: Extract<RestPaginator, { type: 'cursor' }>,
  { body, records }: PageAnswer,
): PageToken | undefined {
  if (more !== undefined && !isYes(getValue(body, more))) return undefined
  const field = /^last_record\.(.+)$/.exec(path)?.[1]
  if (field === undefined) return toPageToken(getValue(body, path))
  if (more === undefined && (records.length === 0 || (size !== undefined && records.length < size))) return undefined
  return toPageToken(getField(records.at(-1), field))
}

const isYes = (value: unknown) => value === true || value === 'true' || value === 1
const toPageToken = (value: unknown): PageToken | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined

const toSizeParameter = ({
  size,
  size_parameter: name,
}: {
  size?: number | undefined
  size_parameter?: string | undefined
}) => (name === undefined || size === undefined ? {} : { [name]: String(size) })
const toTextRecord = (record: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]))
const toNumberRecord = (record: Record<string, string>) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, Number(value)]))

/** `<https://…>; rel="next"`, several separated by commas. */
export function findLink(header: string | null, relation: string): string | undefined {
  for (const [, url, rest = ''] of (header ?? '').matchAll(/<([^>]*)>((?:[^,"]|"[^"]*")*)/g)) {
    const relations = /\brel\s*=\s*"?([^";]*)"?/i.exec(rest)?.[1]?.split(/\s+/) ?? []
    if (relations.includes(relation)) return url
  }
  return undefined
}

const MAX_REMEMBERED = 1000

/** Detects paging that never ends. A repeated page means that the platform ignores the parameter. */
export function createLoopGuard(stream: string): (token: PageToken | undefined, body: string) => void {
  const seen = new Set<string>()
  let before: string | undefined
  const fault = (message: string) =>
    new ConnectorError('configuration', `${stream}: ${message}`, {
      advice: 'Check how the next page is requested: the name of the parameter, and the path of the next token.',
    })
  return (token, body) => {
    if (token !== undefined) {
      const name = String(token)
      if (seen.has(name)) throw fault('the platform sent back to a page that was read already.')
      seen.add(name)
      if (seen.size > MAX_REMEMBERED) seen.delete(seen.values().next().value ?? '')
    }
    if (before !== undefined && before === body && body.length > 2)
      throw fault('the platform gave the same page twice.')
    before = body
  }
}

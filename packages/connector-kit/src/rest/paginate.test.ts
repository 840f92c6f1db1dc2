import type { RestPaginator } from '@trellis/contract/integrations/rest-manifest'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PageToken, findLink, createLoopGuard, getNextToken, toPagePart } from './paginate.ts'

const PAGINATORS: readonly RestPaginator[] = [
  { type: 'page', parameter: 'page', size: 7, size_parameter: 'size' },
  { type: 'page', parameter: 'page', first: 0, size: 7 },
  { type: 'offset', parameter: 'skip', size: 7, size_parameter: 'take' },
  { type: 'cursor', token: 'meta.next', parameter: 'after' },
  { type: 'cursor', token: 'last_record.id', parameter: 'after', has_more: 'more' },
  { type: 'next_url', url: 'links.next' },
  { type: 'link_header' },
]

function platform(paginator: RestPaginator, total: number, limit: number) {
  return (token: PageToken | undefined) => {
    const part = toPagePart(paginator, token)
    const [named] = [part.query?.['page'], part.query?.['skip'], part.query?.['after']].filter(
      (item) => item !== undefined,
    )
    const start =
      paginator.type === 'page'
        ? (Number(named) - (paginator.first ?? 1)) * limit
        : Number(named ?? /at=(\d+)/.exec(part.address ?? '')?.[1] ?? 0)
    const records = Array.from({ length: Math.max(0, Math.min(limit, total - start)) }, (_, at) => ({
      id: start + at + 1,
    }))
    const end = start + records.length
    const next = `https://a.invalid/?at=${end}`
    const body =
      end < total
        ? { meta: { next: String(end) }, more: true, links: { next } }
        : { more: false, links: { next: null } }
    return { records, body, headers: new Headers(end < total ? { link: `<${next}>; rel="next"` } : {}) }
  }
}

test.each(PAGINATORS.map((paginator) => [paginator.type, paginator] as const))(
  '%s paging ends and gives every record once',
  (_, paginator) => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 7 }), (total, limit) => {
        const ask = platform(paginator, total, limit)
        const guard = createLoopGuard('things')
        const seen: unknown[] = []
        let token: PageToken | undefined
        let fullest: number | undefined
        for (let pages = 0; ; pages += 1) {
          expect(pages).toBeLessThan(70)
          const answer = ask(token)
          guard(token, JSON.stringify([answer.body, answer.records]))
          seen.push(...answer.records)
          token = getNextToken(paginator, { ...answer, fullest }, token)
          fullest = Math.max(fullest ?? 0, answer.records.length)
          if (token === undefined) break
        }
        expect(seen).toEqual(Array.from({ length: total }, (_, at) => ({ id: at + 1 })))
      }),
    )
  },
)

test('paging in circles and the same page twice are refused', () => {
  const circle = createLoopGuard('things')
  circle(undefined, 'page one')
  circle('a', 'page two')
  circle('b', 'page three')
  expect(() => circle('a', 'page four')).toThrow('a page that was read already')
  const same = createLoopGuard('things')
  same(undefined, '[{"id":1}]')
  expect(() => same(2, '[{"id":1}]')).toThrow('the same page twice')
})

test.each([
  ['<https://a.invalid/?page=2>; rel="next"', 'https://a.invalid/?page=2'],
  ['<https://a.invalid/1>; rel="previous", <https://a.invalid/3>; rel=next', 'https://a.invalid/3'],
  ['<https://a.invalid/?a=1,2>; title="x, y"; rel="last next"', 'https://a.invalid/?a=1,2'],
  ['<https://a.invalid/1>; rel="previous"', undefined],
  ['', undefined],
])('the next link of %s', (header, url) => {
  expect(findLink(header, 'next')).toBe(url)
})

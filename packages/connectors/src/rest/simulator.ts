import type { Simulator } from '@trellis/connector-kit/connector'
import { getSimulatorTime } from '@trellis/connector-kit/simulate'
import { createRandom } from '../shared/dice.ts'
import { DAY, jsonResponse } from '../shared/sample-time.ts'

const dice = createRandom('bookshop')
const BOOKS = 64
const OPENED = Date.parse('2026-09-01')

const createBook = (id: number) => ({
  id,
  title: `${dice.pick(['The quiet', 'A long', 'The last', 'Another'], 'how', id)} ${dice.pick(['winter', 'harbour', 'letter', 'garden'], 'what', id)}`,
  price: (990 + 100 * dice.whole(20, 'price', id)) / 100,
  is_in_print: dice.fraction('print', id) < 0.9,
  published_on: new Date(Date.parse('2001-01-01') + dice.whole(9000, 'day', id) * DAY).toISOString().slice(0, 10),
  tags: id % 3 === 0 ? ['classic'] : [],
})

/** A bookshop for trying out a manifest. Accepts any key except `wrong`, as a bearer token or in `X-Api-Key`. */
export const bookshopSimulator: Simulator = async (request) => {
  const { pathname, searchParams: asked } = new URL(request.url)
  const key = request.headers.get('x-api-key') ?? request.headers.get('authorization') ?? ''
  if (key === '' || key.includes('wrong'))
    return jsonResponse({ message: 'Send a key that is known here.' }, { status: 401 })
  if (pathname === '/books') {
    const [page, size] = [Number(asked.get('page') ?? 1), Math.min(25, Number(asked.get('size') ?? 20))]
    const first = (page - 1) * size
    const books = Array.from({ length: Math.max(0, Math.min(size, BOOKS - first)) }, (_, index) =>
      createBook(first + index + 1),
    )
    return jsonResponse({ books, page, total: BOOKS })
  }
  const of = /^\/books\/(\d+)\/reviews$/.exec(pathname)?.[1]
  if (of !== undefined) {
    const reviews = Array.from({ length: dice.whole(3, 'reviews', of) }, (_, index) => ({
      id: Number(of) * 10 + index,
      stars: 1 + dice.whole(5, 'stars', of, index),
      text: index === 0 ? 'Read it in one go.' : null,
    }))
    return jsonResponse({ reviews })
  }
  if (pathname === '/sales') return jsonResponse({ sales: salesBetween(asked, getSimulatorTime(request)) })
  return jsonResponse({ message: `There is nothing at ${pathname}.` }, { status: 404 })
}

function salesBetween(asked: URLSearchParams, now: Date) {
  const today = now.toISOString().slice(0, 10)
  const to = [asked.get('to') ?? today, today].toSorted()[0] ?? today
  const from = Math.max(OPENED, Date.parse(asked.get('from') ?? '2026-09-01'))
  const sales: { day: string; book_id: number; copies: number }[] = []
  for (let at = from; new Date(at).toISOString().slice(0, 10) <= to; at += DAY) {
    const day = new Date(at).toISOString().slice(0, 10)
    for (const part of [0, 1]) {
      const book = 1 + part * 32 + dice.whole(32, 'book', day, part)
      sales.push({ day, book_id: book, copies: 1 + dice.whole(5, 'copies', day, part) })
    }
  }
  return sales
}

import type pg from 'pg'

export interface PageRequest {
  method: 'GET' | 'POST'
  /** Below the address of the pages, for example `/c/cs_test_1`. */
  path: string
  /** With its question mark, or empty. */
  search: string
  /** The encoded form of a POST. */
  body: string
  /** Moving the clock is for whoever runs this installation, not for everybody who may pay. */
  canMoveClock: boolean
}

export interface PageResponse {
  status: number
  headers: Record<string, string>
  body: string
}
export async function answerPage(_place: { pool: pg.Pool; pagesUrl: string }, _request: PageRequest): Promise<PageResponse> {
  return { status: 404, headers: {}, body: '' }
}

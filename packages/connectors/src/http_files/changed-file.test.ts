import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { readRange } from '@trellis/table-files/read/byte-source'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { findFile } from './http-source.ts'

interface Served {
  readonly body: string
  readonly tag?: string
  readonly modified?: string
  /** Answers with this part instead of the one asked for. */
  readonly shift?: number
  readonly hasPieces?: boolean
}

let served: Served = { body: '' }
let checksConditions = true
const seen: Record<string, string | string[] | undefined>[] = []

const isRefused = (headers: Record<string, string | string[] | undefined>, { tag, modified }: Served) => {
  const { 'if-match': match, 'if-unmodified-since': since } = headers
  if (match !== undefined) return match !== tag || tag.startsWith('W/')
  return since !== undefined && modified !== undefined && Date.parse(modified) > Date.parse(String(since))
}
const server = createServer(({ headers }, response) => {
  seen.push(headers)
  const { body, tag, modified, shift = 0, hasPieces = true } = served
  const version = { ...(tag && { etag: tag }), ...(modified && { 'last-modified': modified }) }
  if (checksConditions && isRefused(headers, served)) return response.writeHead(412).end()
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  if (from === undefined || to === undefined || !hasPieces) {
    return response.writeHead(200, { ...version, 'content-length': body.length }).end(body)
  }
  if (Number(from) >= body.length) return response.writeHead(416).end()
  const start = Number(from) + (Number(to) > 0 ? shift : 0)
  const piece = body.slice(start, Number(to) + 1)
  const range = `bytes ${start}-${start + piece.length - 1}/${body.length}`
  return response.writeHead(206, { ...version, 'content-range': range, 'content-length': piece.length }).end(piece)
})
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.csv`
afterAll(() => void server.close())
beforeEach(() => {
  checksConditions = true
  seen.length = 0
})

const OLD = 'old '.repeat(25)
const NEW = 'NEW '.repeat(25)
const MONDAY = 'Mon, 02 Nov 2026 08:00:00 GMT'
const TUESDAY = 'Tue, 03 Nov 2026 08:00:00 GMT'
const open = async () => await (await findFile(createTestContext(), url, {})).open()

describe('a file that is replaced between two parts', () => {
  test.each<[string, boolean, readonly [Served, Served]]>([
    [
      'strong tags',
      true,
      [
        { body: OLD, tag: '"1"' },
        { body: NEW, tag: '"2"' },
      ],
    ],
    [
      'strong tags that the server does not check',
      false,
      [
        { body: OLD, tag: '"1"' },
        { body: NEW, tag: '"2"' },
      ],
    ],
    [
      'dates alone',
      true,
      [
        { body: OLD, modified: MONDAY },
        { body: NEW, modified: TUESDAY },
      ],
    ],
    [
      'dates that the server does not check',
      false,
      [
        { body: OLD, modified: MONDAY },
        { body: NEW, modified: TUESDAY },
      ],
    ],
    [
      'an older date',
      true,
      [
        { body: OLD, modified: TUESDAY },
        { body: NEW, modified: MONDAY },
      ],
    ],
    [
      'weak tags',
      true,
      [
        { body: OLD, tag: 'W/"1"' },
        { body: NEW, tag: 'W/"2"' },
      ],
    ],
    [
      'the same weak tag and another date',
      true,
      [
        { body: OLD, tag: 'W/"1"', modified: MONDAY },
        { body: NEW, tag: 'W/"1"', modified: TUESDAY },
      ],
    ],
    ['a tag that was none before', true, [{ body: OLD }, { body: NEW, tag: '"2"' }]],
    ['neither, of another size', true, [{ body: OLD }, { body: `${NEW}more` }]],
    ['neither, shorter than the part', true, [{ body: OLD }, { body: 'NEW' }]],
    [
      'no parts any more',
      true,
      [
        { body: OLD, modified: MONDAY },
        { body: NEW, modified: TUESDAY, hasPieces: false },
      ],
    ],
  ])('%s: its parts are not joined', async (_, isChecked, [first, second]) => {
    checksConditions = isChecked
    served = first
    const source = await open()
    expect((await readRange(source, 0, 40)).toString()).toBe(OLD.slice(0, 40))
    served = second
    await expect(readRange(source, 40, 80)).rejects.toThrow(SourceChanged)
  })

  test('a large file without parts: it is not cut at its former size', async () => {
    served = { body: OLD.repeat(700_000), modified: MONDAY, hasPieces: false }
    const source = await open()
    served = { ...served, body: NEW.repeat(700_001) }
    await expect(readRange(source, 0, 40)).rejects.toThrow(SourceChanged)
  })

  test('a small file without parts: the version is the one of its bytes', async () => {
    served = { body: OLD, modified: MONDAY, hasPieces: false }
    const file = await findFile(createTestContext(), url, {})
    served = { body: NEW, modified: TUESDAY, hasPieces: false }
    await expect(file.open()).rejects.toThrow(SourceChanged)
  })
})

describe('a file that stays', () => {
  test.each<[string, Served, Record<string, string | undefined>]>([
    ['a strong tag', { body: OLD, tag: '"1"', modified: MONDAY }, { 'if-match': '"1"' }],
    ['a weak tag', { body: OLD, tag: 'W/"1"' }, {}],
    ['a weak tag and a date', { body: OLD, tag: 'W/"1"', modified: MONDAY }, { 'if-unmodified-since': MONDAY }],
    ['a date', { body: OLD, modified: MONDAY }, { 'if-unmodified-since': MONDAY }],
    ['neither', { body: OLD }, {}],
  ])('with %s is read in parts', async (_, file, conditions) => {
    served = file
    const source = await open()
    const parts = [await readRange(source, 0, 40), await readRange(source, 40, 100)]
    expect(Buffer.concat(parts).toString()).toBe(OLD)
    const { 'if-match': match, 'if-unmodified-since': since } = seen.at(-1) ?? {}
    expect({ match, since }).toEqual({ match: conditions['if-match'], since: conditions['if-unmodified-since'] })
  })

  test('is read although its date is always that of the response', async () => {
    served = { body: OLD, modified: new Date(Date.now() + 60_000).toUTCString() }
    const source = await open()
    served = { body: OLD, modified: new Date(Date.now() + 120_000).toUTCString() }
    expect((await readRange(source, 40, 80)).toString()).toBe(OLD.slice(40, 80))
  })

  test('is read when the server sends the whole instead of a part', async () => {
    served = { body: OLD, tag: '"1"' }
    const source = await open()
    served = { ...served, hasPieces: false }
    expect((await readRange(source, 40, 80)).toString()).toBe(OLD.slice(40, 80))
  })

  test('is not read from another place than the one asked for', async () => {
    served = { body: OLD, tag: '"1"', shift: 4 }
    const source = await open()
    const error: unknown = await readRange(source, 0, 40).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConnectorError)
    expect(error).toMatchObject({ kind: 'transient', message: expect.stringContaining('another part') })
  })
})

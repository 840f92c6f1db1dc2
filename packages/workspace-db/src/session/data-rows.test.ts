import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_NOTICE_BYTES, MAX_NOTICES, type RowBytes, tapDataRows } from './data-rows.ts'
import type { Value } from './portal.ts'
import { decodeRows } from './row-bytes.ts'

function toMessage(code: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(code)
  head.writeUInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

function toDataRow(values: readonly Value[]): Buffer {
  const count = Buffer.alloc(2)
  count.writeUInt16BE(values.length)
  const cells = values.flatMap((value) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(value === null ? -1 : Buffer.byteLength(value))
    return value === null ? [length] : [length, Buffer.from(value)]
  })
  return toMessage('D', Buffer.concat([count, ...cells]))
}

function startTap(onMessage: (take: () => RowBytes) => void = () => undefined) {
  const stream = Object.assign(new EventEmitter(), {
    pause: () => (seen.isPaused = true),
    resume: () => (seen.isPaused = false),
  })
  const toDriver: Buffer[] = []
  const seen = { freed: 0, badLengths: 0, longErrors: 0, isPaused: false }
  stream.on('data', (bytes: Buffer) => {
    toDriver.push(bytes)
    onMessage(() => tap.take())
  })
  const tap = tapDataRows(stream as unknown as Socket, {
    onFreed: () => (seen.freed += 1),
    onBadLength: () => (seen.badLengths += 1),
    onLongError: () => (seen.longErrors += 1),
  })
  return { tap, seen, send: (bytes: Buffer) => stream.emit('data', bytes), driven: () => Buffer.concat(toDriver) }
}

const value = fc.option(fc.string({ unit: 'grapheme', maxLength: 20 }))
const message = fc.oneof(
  fc.array(value, { maxLength: 4 }).map((row) => ({ row })),
  fc.uint8Array({ maxLength: 30 }).map((notice) => ({ notice })),
)

test('rows and other messages are told apart, wherever the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20 }), fc.integer({ min: 1, max: 40 }), (messages, size) => {
      const { tap, send, driven } = startTap()
      const encoded = messages.map((one) =>
        'row' in one ? toDataRow(one.row) : toMessage('N', Buffer.from(one.notice)),
      )
      const bytes = Buffer.concat(encoded)
      for (let at = 0; at < bytes.length; at += size) send(bytes.subarray(at, at + size))
      const rows = messages.flatMap((one) => ('row' in one ? [one.row] : []))
      expect(decodeRows(tap.take())).toEqual(rows)
      expect(driven()).toEqual(Buffer.concat(encoded.filter((_, at) => 'notice' in (messages[at] ?? {}))))
    }),
  )
})

test('a batch whose rows are taken while its end is handled is heard of as rows', () => {
  const { tap, seen, send } = startTap((take) => expect(take().rows).toBe(2))
  send(Buffer.concat([toDataRow(['1']), toDataRow(['2']), toMessage('s', Buffer.alloc(0))]))
  expect(seen.freed).toBe(1)
  expect(tap.take().rows).toBe(0)
})

test('after its end the driver hears everything again', () => {
  const { tap, send, driven } = startTap()
  tap.stop()
  send(toDataRow(['1']))
  expect(driven()).toEqual(toDataRow(['1']))
})

test('a length that no message has is refused', () => {
  const { seen, send } = startTap()
  send(Buffer.from([0x44, 0, 0, 0, 3]))
  expect(seen.badLengths).toBe(1)
})

test('notices beyond what one statement may send are dropped, and rows behind them are not', () => {
  const { tap, seen, send, driven } = startTap()
  const notice = toMessage('N', Buffer.alloc(MAX_NOTICE_BYTES / 2 - 4))
  send(notice)
  send(notice)
  expect(seen.isPaused).toBe(false)
  send(notice)
  expect(seen.isPaused).toBe(true)
  send(notice)
  send(Buffer.concat([toDataRow(['1']), toMessage('s', Buffer.alloc(0))]))
  expect(driven().equals(Buffer.concat([notice, notice, toMessage('s', Buffer.alloc(0))]))).toBe(true)
  expect(decodeRows(tap.take())).toEqual([['1']])
  tap.stop()
  expect(seen.isPaused).toBe(false)
})

test('short notices are dropped by their number, and none of them counts as a row that grows', () => {
  const { tap, seen, send, driven } = startTap()
  const notice = toMessage('N', Buffer.alloc(10))
  for (let count = 0; count < MAX_NOTICES; count += 1) send(notice)
  expect(seen).toMatchObject({ freed: 0, isPaused: false })
  send(notice)
  expect(seen).toMatchObject({ freed: 1, isPaused: true })
  expect(driven().length).toBe(MAX_NOTICES * notice.length)
  tap.stop()
})

test('an error whose text is too long is refused at its first bytes', () => {
  const { seen, send, driven } = startTap()
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(40_000_000, 1)
  send(head)
  expect(seen.longErrors).toBe(1)
  expect(driven()).toHaveLength(0)
})

test('rows that end too early are refused', () => {
  const row = toDataRow(['abc'])
  expect(() => decodeRows({ bytes: row.subarray(0, -1), rows: 1 })).toThrow('not complete')
  expect(() => decodeRows({ bytes: Buffer.from('["a"]\n["b"]\n'), rows: 2 })).toThrow('not complete')
})

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

const MAX_ROW_BYTES = 512 * 1024

function startTap(onMessage: (take: () => RowBytes) => void = () => undefined) {
  const stream = Object.assign(new EventEmitter(), {
    pause: () => (seen.isPaused = true),
    resume: () => (seen.isPaused = false),
  })
  const toDriver: Buffer[] = []
  const seen = { full: 0, tooLarge: 0, badLengths: 0, longErrors: 0, isPaused: false }
  stream.on('data', (bytes: Buffer) => {
    toDriver.push(bytes)
    onMessage(() => tap.take())
  })
  const tap = tapDataRows(stream as unknown as Socket, {
    maxRowBytes: MAX_ROW_BYTES,
    onFull: () => (seen.full += 1),
    onTooLarge: () => (seen.tooLarge += 1),
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
      const encoded = messages.map((other) =>
        'row' in other ? toDataRow(other.row) : toMessage('N', Buffer.from(other.notice)),
      )
      const bytes = Buffer.concat(encoded)
      for (let at = 0; at < bytes.length; at += size) send(bytes.subarray(at, at + size))
      const rows = messages.flatMap((other) => ('row' in other ? [other.row] : []))
      expect(decodeRows(tap.take())).toEqual(rows)
      expect(driven()).toEqual(Buffer.concat(encoded.filter((_, at) => 'notice' in (messages[at] ?? {}))))
    }),
  )
})

test('a batch whose rows are taken while its end is handled is heard of as rows', () => {
  const { tap, send } = startTap((take) => expect(take().rows).toBe(2))
  send(Buffer.concat([toDataRow(['1']), toDataRow(['2']), toMessage('s', Buffer.alloc(0))]))
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
  expect(seen.isPaused).toBe(false)
  const noticesOfOneRow = Math.ceil(MAX_ROW_BYTES / notice.length)
  for (let count = 0; count <= noticesOfOneRow; count += 1) send(notice)
  expect(seen).toMatchObject({ tooLarge: 0, isPaused: true })
  expect(driven().length).toBe(MAX_NOTICES * notice.length)
  tap.stop()
})

test('a row that is too large is refused at its first bytes, many small ones are not', () => {
  const { tap, seen, send } = startTap()
  const row = toDataRow(['x'.repeat(1000)])
  for (let sent = 0; sent < 2 * MAX_ROW_BYTES; sent += row.length) send(row)
  expect(seen.tooLarge).toBe(0)
  tap.take()
  send(toDataRow(['x'.repeat(MAX_ROW_BYTES)]).subarray(0, 100))
  expect(seen.tooLarge).toBe(1)
  expect(tap.take()).toEqual({ rows: 0, bytes: Buffer.alloc(0) })
})

test('what the driver gets without end between two rows is refused', () => {
  const { seen, send } = startTap()
  const copied = toMessage('d', Buffer.alloc(64 * 1024))
  for (let sent = 0; sent < MAX_ROW_BYTES - copied.length; sent += copied.length) send(copied)
  expect(seen.tooLarge).toBe(0)
  send(copied)
  expect(seen.tooLarge).toBe(1)
})

test('the socket may read into the same memory again, and so may rows that were given back', () => {
  const { tap, send, driven } = startTap()
  const memory = Buffer.alloc(64 * 1024)
  const sendFrom = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += memory.length) {
      const length = bytes.copy(memory, 0, at, at + memory.length)
      send(memory.subarray(0, length))
      memory.fill(0xff)
    }
  }
  const end = toMessage('s', Buffer.alloc(0))
  const used = new Set<ArrayBufferLike>()
  for (let round = 0; round < 8; round += 1) {
    const rows = Array.from({ length: 3000 }, (_, at) => [`row ${round}.${at}`, 'x'.repeat(at % 200)])
    sendFrom(Buffer.concat([...rows.map(toDataRow), end]))
    const batch = tap.take()
    expect(decodeRows(batch)).toEqual(rows)
    used.add(batch.bytes.buffer)
    tap.giveBack(batch)
  }
  expect(used.size).toBe(1)
  expect(driven()).toEqual(Buffer.concat(Array.from({ length: 8 }, () => end)))
})

test('rows that are still used are not written over by later ones', () => {
  const { tap, send } = startTap()
  const sendRow = (text: string) => send(toDataRow([text.repeat(20_000)]))
  sendRow('a')
  const first = tap.take()
  sendRow('b')
  const second = tap.take()
  tap.giveBack(first)
  sendRow('c')
  sendRow('d')
  expect(decodeRows(second)).toEqual([['b'.repeat(20_000)]])
  expect(decodeRows(tap.take())).toEqual([['c'.repeat(20_000)], ['d'.repeat(20_000)]])
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

test('many bytes of rows stop the reading; those that are whole are given, the rest of a row follows', () => {
  const { tap, seen, send } = startTap()
  const large = toDataRow(['x'.repeat(400_000)])
  for (let count = 0; count < 10; count += 1) send(large)
  send(large.subarray(0, 1000))
  expect(seen).toMatchObject({ full: 0, isPaused: false })
  send(Buffer.concat([large.subarray(1000), large.subarray(0, 500)]))
  expect(seen).toMatchObject({ full: 1, isPaused: true })
  expect(decodeRows(tap.take())).toHaveLength(11)
  tap.resume()
  expect(seen.isPaused).toBe(false)
  send(large.subarray(500))
  expect(decodeRows(tap.take())).toEqual([['x'.repeat(400_000)]])
})

test('rows that nobody wants any more are not kept', () => {
  const { tap, seen, send, driven } = startTap()
  const row = toDataRow(['x'.repeat(400_000)])
  for (let count = 0; count < 11; count += 1) send(row)
  expect(seen.isPaused).toBe(true)
  tap.take()
  tap.discard()
  for (let count = 0; count < 50; count += 1) send(row)
  const done = toMessage('C', Buffer.from('SELECT 61\0'))
  send(done)
  expect(seen).toMatchObject({ full: 1, isPaused: false, tooLarge: 0 })
  expect(tap.take()).toMatchObject({ rows: 0 })
  expect(driven()).toEqual(done)
})

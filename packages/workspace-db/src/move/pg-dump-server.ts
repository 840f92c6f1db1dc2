import type { Duplex } from 'node:stream'
import { type MessagePort, workerData } from 'node:worker_threads'
import { PostgresClient } from '@trellis/postgres-client/client'
import type pg from 'pg'

export interface ServerWork {
  readonly config: pg.ClientConfig
  readonly exchange: MessagePort
  readonly answered: Int32Array<SharedArrayBuffer>
}

const { config, exchange, answered } = workerData as ServerWork
const client = new PostgresClient(config)
client.on('error', () => undefined)
await client.connect()
const { rows } = await client.query<{ server_version: string }>('show server_version')
// From here on the program speaks, over a connection that is signed in, encrypted and of the right host.
const socket = (client as unknown as { connection: { stream: Duplex } }).connection.stream
socket.removeAllListeners('data')

let sent = Buffer.alloc(0)
let received = Buffer.alloc(0)
let isGreeted = false
let isWaiting = false

function answer(bytes: Buffer): void {
  isWaiting = false
  exchange.postMessage(bytes, [])
  Atomics.add(answered, 0, 1)
  Atomics.notify(answered, 0)
}

function encodeMessage(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function sendGreeting(): void {
  isGreeted = true
  const status = {
    server_version: rows[0]?.server_version ?? '',
    client_encoding: 'UTF8',
    standard_conforming_strings: 'on',
  }
  const told = Object.entries(status).map(([name, value]) => encodeMessage('S', Buffer.from(`${name}\0${value}\0`)))
  answer(Buffer.concat([encodeMessage('R', Buffer.alloc(4)), ...told, encodeMessage('Z', Buffer.from('I'))]))
}

function isAnswered(): boolean {
  let type = ''
  while (sent.length >= 5 && sent.length >= 1 + sent.readUInt32BE(1)) {
    type = String.fromCharCode(sent[0] ?? 0)
    sent = sent.subarray(1 + sent.readUInt32BE(1))
  }
  return sent.length === 0 && ['Q', 'S', 'F'].includes(type)
}

function isComplete(): boolean {
  let isEnd = false
  let at = 0
  while (at + 5 <= received.length && at + 1 + received.readUInt32BE(at + 1) <= received.length) {
    isEnd = received[at] === 'Z'.charCodeAt(0)
    at += 1 + received.readUInt32BE(at + 1)
  }
  return isEnd && at === received.length
}

socket.on('data', (bytes: Buffer) => {
  received = Buffer.concat([received, bytes])
  if (!isWaiting || !isComplete()) return
  answer(received)
  received = Buffer.alloc(0)
})
socket.on('close', () => answer(received))
socket.on('error', () => undefined)
exchange.on('message', (bytes: Uint8Array) => {
  if (!isGreeted) return sendGreeting()
  sent = Buffer.concat([sent, bytes])
  isWaiting = isAnswered()
  socket.write(bytes)
  if (!isWaiting) answer(Buffer.alloc(0))
})

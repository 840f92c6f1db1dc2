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

let unsentBytes = Buffer.alloc(0)
let receivedBytes = Buffer.alloc(0)
let hasGreeted = false
let isWaiting = false

function postAnswer(bytes: Buffer): void {
  isWaiting = false
  exchange.postMessage(bytes, [])
  Atomics.add(answered, 0, 1)
  Atomics.notify(answered, 0)
}

function encodeMessage(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5)
  header.write(type)
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

function sendGreeting(): void {
  hasGreeted = true
  const status = {
    server_version: rows[0]?.server_version ?? '',
    client_encoding: 'UTF8',
    standard_conforming_strings: 'on',
  }
  const parameterMessages = Object.entries(status).map(([name, value]) =>
    encodeMessage('S', Buffer.from(`${name}\0${value}\0`)),
  )
  postAnswer(
    Buffer.concat([encodeMessage('R', Buffer.alloc(4)), ...parameterMessages, encodeMessage('Z', Buffer.from('I'))]),
  )
}

function expectsAnswer(): boolean {
  let type = ''
  while (unsentBytes.length >= 5 && unsentBytes.length >= 1 + unsentBytes.readUInt32BE(1)) {
    type = String.fromCharCode(unsentBytes[0] ?? 0)
    unsentBytes = unsentBytes.subarray(1 + unsentBytes.readUInt32BE(1))
  }
  return unsentBytes.length === 0 && ['Q', 'S', 'F'].includes(type)
}

function isReadyForQuery(): boolean {
  let isEnd = false
  let offset = 0
  while (
    offset + 5 <= receivedBytes.length &&
    offset + 1 + receivedBytes.readUInt32BE(offset + 1) <= receivedBytes.length
  ) {
    isEnd = receivedBytes[offset] === 'Z'.charCodeAt(0)
    offset += 1 + receivedBytes.readUInt32BE(offset + 1)
  }
  return isEnd && offset === receivedBytes.length
}

socket.on('data', (bytes: Buffer) => {
  receivedBytes = Buffer.concat([receivedBytes, bytes])
  if (!isWaiting || !isReadyForQuery()) return
  postAnswer(receivedBytes)
  receivedBytes = Buffer.alloc(0)
})
socket.on('close', () => postAnswer(receivedBytes))
socket.on('error', () => undefined)
exchange.on('message', (bytes: Uint8Array) => {
  if (!hasGreeted) return sendGreeting()
  unsentBytes = Buffer.concat([unsentBytes, bytes])
  isWaiting = expectsAnswer()
  socket.write(bytes)
  if (!isWaiting) postAnswer(Buffer.alloc(0))
})

import { connect } from 'node:net'
import { type MessagePort, workerData } from 'node:worker_threads'

export interface ServerWork {
  readonly host: string
  readonly port: number
  readonly exchange: MessagePort
  readonly answered: Int32Array<SharedArrayBuffer>
}

const { host, port, exchange, answered } = workerData as ServerWork
const socket = connect({ host, port })
let sent = Buffer.alloc(0)
let received = Buffer.alloc(0)
let isStarted = false
let isWaiting = false

function answer(bytes: Buffer): void {
  isWaiting = false
  exchange.postMessage(bytes, [])
  Atomics.add(answered, 0, 1)
  Atomics.notify(answered, 0)
}

function isAnswered(): boolean {
  let type = ''
  for (;;) {
    const head = isStarted ? 1 : 0
    if (sent.length < head + 4) break
    const length = head + sent.readUInt32BE(head)
    if (sent.length < length) break
    type = isStarted ? String.fromCharCode(sent[0] ?? 0) : 'Q'
    isStarted = true
    sent = sent.subarray(length)
  }
  return sent.length === 0 && ['Q', 'S', 'p'].includes(type)
}

const AUTHENTICATED = new Set([0, 12])

function isComplete(): boolean {
  let isEnd = false
  let at = 0
  while (at + 5 <= received.length && at + 1 + received.readUInt32BE(at + 1) <= received.length) {
    const type = String.fromCharCode(received[at] ?? 0)
    isEnd = type === 'Z' || (type === 'R' && !AUTHENTICATED.has(received.readUInt32BE(at + 5)))
    at += 1 + received.readUInt32BE(at + 1)
  }
  return isEnd && at === received.length
}

socket.on('data', (bytes) => {
  received = Buffer.concat([received, bytes as Buffer])
  if (!isWaiting || !isComplete()) return
  answer(received)
  received = Buffer.alloc(0)
})
socket.on('close', () => answer(received))
socket.on('error', () => undefined)
exchange.on('message', (bytes: Uint8Array) => {
  sent = Buffer.concat([sent, bytes])
  isWaiting = isAnswered()
  socket.write(bytes)
  if (!isWaiting) answer(Buffer.alloc(0))
})

import { type IncomingMessage, type RequestListener, createServer } from 'node:http'
import { type Server, createServer as createTcpServer } from 'node:net'

const closing: (() => Promise<void>)[] = []

export async function closeServers(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}

let port = 22_300 + (process.pid % 50) * 40

async function listen(make: () => Server, addresses: string[]): Promise<number> {
  for (;;) {
    port += 1
    const opened: Server[] = []
    try {
      for (const address of addresses) {
        const server = make()
        await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve))
        opened.push(server)
      }
    } catch (error) {
      for (const server of opened) server.close()
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw error
    }
    for (const server of opened) {
      closing.push(async () => {
        ;(server as Server & { closeAllConnections?: () => void }).closeAllConnections?.()
        await new Promise((resolve) => server.close(resolve))
      })
    }
    return port
  }
}

export interface Canary {
  port: number
  readonly touched: string[]
}

export async function startCanary(addresses: string[]): Promise<Canary> {
  const touched: string[] = []
  const make = () =>
    createTcpServer((socket) => {
      touched.push('connected')
      socket.on('data', (chunk) => touched.push(chunk.toString('latin1')))
      socket.on('error', () => undefined)
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
    })
  return { port: await listen(make, addresses), touched }
}

export async function startWeb(address: string, listener: RequestListener): Promise<string> {
  return `http://${address}:${await listen(() => createServer(listener), [address])}`
}

export async function startTcp(address: string, onData: (chunk: Buffer) => void): Promise<number> {
  return await listen(
    () =>
      createTcpServer((socket) => {
        socket.on('error', () => undefined)
        socket.on('data', (chunk) => {
          onData(chunk)
          socket.destroy()
        })
      }),
    [address],
  )
}

export async function startRude(address: string): Promise<number> {
  return await listen(
    () =>
      createTcpServer((socket) => {
        socket.on('error', () => undefined)
        socket.end('nothing for you here\n', () => socket.destroy())
      }),
    [address],
  )
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

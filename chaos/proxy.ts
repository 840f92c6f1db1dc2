import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** Cuts connections between workers and Postgres. */
export interface Proxy {
  readonly port: number
  cut(chance: number): boolean
  /** No byte passes and no connection breaks, as behind a network that is gone; returns a function that ends it. */
  isolate(): () => void
  close(): Promise<void>
}

const BUSY_MS = 200

export async function startProxy(targetPort: () => number): Promise<Proxy> {
  const open = new Map<Socket, number>()
  const pairs = new Map<Socket, Socket>()
  const state = { isIsolated: false }
  const server = createServer((inside) => {
    const outside = connect({ host: '127.0.0.1', port: targetPort() })
    pairs.set(inside, outside)
    const end = () => {
      open.delete(inside)
      pairs.delete(inside)
      inside.destroy()
      outside.destroy()
    }
    for (const socket of [inside, outside]) socket.on('error', end).on('close', end)
    open.set(inside, 0)
    inside.on('data', () => open.set(inside, performance.now()))
    inside.pipe(outside)
    outside.pipe(inside)
    if (state.isIsolated) for (const socket of [inside, outside]) socket.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut(chance) {
      const all = [...open]
      const busy = all.filter(([, at]) => performance.now() - at < BUSY_MS)
      const from = busy.length > 0 ? busy : all
      const one = from[Math.floor(chance * from.length)]?.[0]
      one?.resetAndDestroy()
      return one !== undefined
    },
    isolate() {
      state.isIsolated = true
      for (const socket of [...pairs].flat()) socket.pause()
      return () => {
        state.isIsolated = false
        for (const socket of [...pairs].flat()) socket.resume()
      }
    },
    close: async () => {
      for (const socket of open.keys()) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

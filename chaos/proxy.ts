import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** Stands between workers and Postgres and cuts connections in the middle of whatever they do. */
export interface Proxy {
  readonly port: number
  /** Says whether there was one to cut. */
  cut(chance: number): boolean
  close(): Promise<void>
}

export async function startProxy(targetPort: () => number): Promise<Proxy> {
  const open = new Set<Socket>()
  const server = createServer((inside) => {
    const outside = connect({ host: '127.0.0.1', port: targetPort() })
    const end = () => {
      open.delete(inside)
      inside.destroy()
      outside.destroy()
    }
    for (const socket of [inside, outside]) socket.on('error', end).on('close', end)
    open.add(inside)
    inside.pipe(outside)
    outside.pipe(inside)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut(chance) {
      const all = [...open]
      const one = all[Math.floor(chance * all.length)]
      one?.resetAndDestroy()
      return one !== undefined
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

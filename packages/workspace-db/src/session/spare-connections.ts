import type { LoginConnection } from './connection-types.ts'

/** Interactive users run the next query within this time. */
const MAX_SPARE_AGE_MS = 30_000
const MAX_SPARES = 32
/** A second one is ready while the first is replaced. */
const MAX_SPARES_PER_LOGIN = 2

export interface SpareKey {
  readonly login: { readonly database: string; readonly user: string; readonly password: string }
  /** Startup options cannot change later. */
  readonly options: string
}

/** Connections opened in advance, since connecting takes longer than most queries. Each serves one session. */
export interface SpareConnections {
  keep(key: SpareKey, open: () => Promise<LoginConnection>): void
  take(key: SpareKey): Promise<LoginConnection | undefined>
  drop(user: string): void
  close(): Promise<void>
}

interface SpareConnection extends SpareKey {
  readonly opening: Promise<LoginConnection | undefined>
  readonly timer: NodeJS.Timeout
}

export function createSpareConnections(): SpareConnections {
  const spares: SpareConnection[] = []
  const closingConnections = new Set<Promise<void>>()
  let isClosed = false

  const listSpares = (user: string) => spares.filter(({ login }) => login.user === user)

  function remove(spare: SpareConnection): void {
    const index = spares.indexOf(spare)
    if (index >= 0) spares.splice(index, 1)
    clearTimeout(spare.timer)
  }

  function closeSpare(spare: SpareConnection): void {
    remove(spare)
    const closed = spare.opening.then((connection) => connection?.client.end()).catch(() => undefined)
    closingConnections.add(closed)
    void closed.finally(() => closingConnections.delete(closed))
  }

  /** A login has few connections: spares with other options are closed. */
  function closeOutdatedSpares(key: SpareKey): void {
    for (const spare of listSpares(key.login.user)) if (!hasSameOptions(spare, key)) closeSpare(spare)
  }

  return {
    keep(key, open) {
      if (isClosed) return
      closeOutdatedSpares(key)
      for (let count = listSpares(key.login.user).length; count < MAX_SPARES_PER_LOGIN; count += 1) {
        if (spares.length >= MAX_SPARES) return
        const spare: SpareConnection = {
          ...key,
          opening: open().catch(() => undefined),
          timer: setTimeout(() => closeSpare(spare), MAX_SPARE_AGE_MS).unref(),
        }
        spares.push(spare)
      }
    },
    async take(key) {
      closeOutdatedSpares(key)
      for (;;) {
        const [spare] = listSpares(key.login.user)
        if (!spare) return undefined
        remove(spare)
        const connection = await spare.opening
        if (connection && !connection.stream.destroyed) return connection
      }
    },
    drop(user) {
      for (const spare of listSpares(user)) closeSpare(spare)
    },
    async close() {
      isClosed = true
      for (const spare of [...spares]) closeSpare(spare)
      await Promise.all(closingConnections)
    },
  }
}

const hasSameOptions = (spareKey: SpareKey, other: SpareKey): boolean =>
  spareKey.options === other.options && spareKey.login.password === other.login.password

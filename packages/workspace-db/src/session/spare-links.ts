import type { OwnLink } from './link-types.ts'

/** Interactive users run the next query within this time. */
const SPARE_MS = 30_000
const MAX_SPARES = 32
/** A second one is ready while the first is replaced. */
const MAX_SPARES_PER_LOGIN = 2

export interface SpareKey {
  readonly login: { readonly database: string; readonly user: string; readonly password: string }
  /** Startup options cannot change later. */
  readonly options: string
}

/** Connections opened in advance, since connecting takes longer than most queries. Each serves one session. */
export interface SpareLinks {
  keep(key: SpareKey, open: () => Promise<OwnLink>): void
  take(key: SpareKey): Promise<OwnLink | undefined>
  drop(user: string): void
  close(): Promise<void>
}

interface SpareLink extends SpareKey {
  readonly opening: Promise<OwnLink | undefined>
  readonly timer: NodeJS.Timeout
}

export function createSpareLinks(): SpareLinks {
  const spares: SpareLink[] = []
  const ending = new Set<Promise<void>>()
  let isClosed = false

  const listSpares = (user: string) => spares.filter(({ login }) => login.user === user)

  function remove(spare: SpareLink): void {
    const at = spares.indexOf(spare)
    if (at >= 0) spares.splice(at, 1)
    clearTimeout(spare.timer)
  }

  function end(spare: SpareLink): void {
    remove(spare)
    const ended = spare.opening.then((link) => link?.client.end()).catch(() => undefined)
    ending.add(ended)
    void ended.finally(() => ending.delete(ended))
  }

  /** A login has few connections: spares with other options are closed. */
  function endOthers(key: SpareKey): void {
    for (const spare of listSpares(key.login.user)) if (!isSame(spare, key)) end(spare)
  }

  return {
    keep(key, open) {
      if (isClosed) return
      endOthers(key)
      for (let has = listSpares(key.login.user).length; has < MAX_SPARES_PER_LOGIN; has += 1) {
        if (spares.length >= MAX_SPARES) return
        const spare: SpareLink = {
          ...key,
          opening: open().catch(() => undefined),
          timer: setTimeout(() => end(spare), SPARE_MS).unref(),
        }
        spares.push(spare)
      }
    },
    async take(key) {
      endOthers(key)
      for (;;) {
        const [spare] = listSpares(key.login.user)
        if (!spare) return undefined
        remove(spare)
        const link = await spare.opening
        if (link && !link.stream.destroyed) return link
      }
    },
    drop(user) {
      for (const spare of listSpares(user)) end(spare)
    },
    async close() {
      isClosed = true
      for (const spare of [...spares]) end(spare)
      await Promise.all(ending)
    },
  }
}

const isSame = (spareKey: SpareKey, other: SpareKey): boolean =>
  spareKey.options === other.options && spareKey.login.password === other.login.password

import type { OwnLink } from './link-types.ts'

/** Somebody who works in an editor runs the next query within this time. */
const SPARE_MS = 30_000
const MAX_SPARES = 16

export interface SpareKey {
  readonly login: { readonly database: string; readonly user: string; readonly password: string }
  /** A connection can't be given other startup options later. */
  readonly options: string
}

/**
 * Connections opened ahead that no statement has run on: connecting takes longer than most queries. One for a login, and
 * each is used for one session only.
 */
export interface SpareLinks {
  keep(key: SpareKey, open: () => Promise<OwnLink>): void
  /** Nothing when there is none, or when it was closed meanwhile. */
  take(key: SpareKey): Promise<OwnLink | undefined>
  /** For a login whose stored settings were changed: a spare may have been opened with them. */
  drop(user: string): void
  close(): Promise<void>
}

interface Spare extends SpareKey {
  readonly opening: Promise<OwnLink | undefined>
  readonly timer: NodeJS.Timeout
}

export function createSpareLinks(): SpareLinks {
  const spares = new Map<string, Spare>()
  const ending = new Set<Promise<void>>()
  let isClosed = false

  function remove(user: string): Spare | undefined {
    const spare = spares.get(user)
    spares.delete(user)
    clearTimeout(spare?.timer)
    return spare
  }

  function end(spare: Spare | undefined): void {
    if (!spare) return
    const ended = spare.opening.then((link) => link?.client.end()).catch(() => undefined)
    ending.add(ended)
    void ended.finally(() => ending.delete(ended))
  }

  return {
    keep(key, open) {
      const { user } = key.login
      if (isClosed || spares.has(user) || spares.size >= MAX_SPARES) return
      const timer = setTimeout(() => end(remove(user)), SPARE_MS).unref()
      spares.set(user, { ...key, opening: open().catch(() => undefined), timer })
    },
    async take({ login, options }) {
      const spare = remove(login.user)
      if (!spare) return undefined
      const isSame = spare.options === options && spare.login.password === login.password
      const link = isSame ? await spare.opening : undefined
      if (link && !link.stream.destroyed) return link
      end(spare)
      return undefined
    },
    drop: (user) => end(remove(user)),
    async close() {
      isClosed = true
      for (const user of spares.keys()) end(remove(user))
      await Promise.all(ending)
    },
  }
}

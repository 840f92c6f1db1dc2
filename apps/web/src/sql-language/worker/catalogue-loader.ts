import { type CataloguePage, getCatalogue } from '@trellis/contract/explorer/catalogue.endpoints'
import { call } from '../../api/call.ts'
import { callWorker } from './sql-client.ts'

export interface DatabaseAddress {
  readonly account_trellis_code: string
  readonly workspace_address: string
  readonly integration_trellis_code: string
}

export const toDatabaseKey = (address: DatabaseAddress): string =>
  [address.account_trellis_code, address.workspace_address, address.integration_trellis_code].join('/')

interface LoadedCatalogue {
  version: string
  loading: Promise<void> | undefined
  checkedAt: number
}

const loaded = new Map<string, LoadedCatalogue>()
const listeners = new Set<(database: string) => void>()
/** Interval between version checks. */
const CHECK_AGAIN_MS = 30_000
/** The catalogue may change while its pages are loaded. */
const MAX_ATTEMPTS = 3

export function subscribeToCatalogue(listener: (database: string) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export async function refreshCatalogue(address: DatabaseAddress, isForced = false): Promise<void> {
  const key = toDatabaseKey(address)
  const knownCatalogue = loaded.get(key) ?? { version: '', loading: undefined, checkedAt: 0 }
  loaded.set(key, knownCatalogue)
  if (knownCatalogue.loading) {
    await knownCatalogue.loading
    if (!isForced) return
  } else if (!isForced && knownCatalogue.version !== '' && Date.now() - knownCatalogue.checkedAt < CHECK_AGAIN_MS)
    return
  knownCatalogue.loading ??= load(address, knownCatalogue).finally(() => {
    knownCatalogue.loading = undefined
    knownCatalogue.checkedAt = Date.now()
  })
  await knownCatalogue.loading
}

async function load(address: DatabaseAddress, knownCatalogue: LoadedCatalogue): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const version = await loadPages(address, knownCatalogue, attempt === MAX_ATTEMPTS)
    if (version === null) continue
    knownCatalogue.version = version
    return
  }
}

/** The loaded version, or undefined when it changed between two pages and `canBeMixed` is false. */
async function loadPages(
  address: DatabaseAddress,
  knownCatalogue: LoadedCatalogue,
  canBeMixed: boolean,
): Promise<string | null> {
  const database = toDatabaseKey(address)
  let page = await read(address, knownCatalogue.version === '' ? {} : { known_version: knownCatalogue.version })
  const { version } = page
  if (page.is_unchanged) return version
  for (let isFirst = true; ; isFirst = false) {
    await callWorker('addPage', { database, page, isFirst, isLast: page.next_after === null })
    for (const listener of listeners) listener(database)
    if (page.next_after === null) return version
    page = await read(address, { after: page.next_after })
    if (page.version !== version && !canBeMixed) return null
  }
}

const read = (params: DatabaseAddress, query: { known_version?: string; after?: number }): Promise<CataloguePage> =>
  call(getCatalogue, { params, query })

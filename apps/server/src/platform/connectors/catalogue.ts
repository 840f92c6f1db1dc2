import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Connector } from '@trellis/connector-kit/connector'

export interface Catalogue {
  readonly connectors: readonly Connector[]
  find(code: string): Connector | undefined
  readIcon(connector: Connector): string
  readDocumentation(connector: Connector): string
}

const FOLDER = dirname(createRequire(import.meta.url).resolve('@trellis/connectors/registry'))
const PLAIN_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"><rect x="4" y="4" width="16" height="16" rx="4"/></svg>'

export function openCatalogue(connectors: readonly Connector[]): Catalogue {
  const byCode = new Map(connectors.map((connector) => [connector.code, connector]))
  if (byCode.size !== connectors.length) throw new Error('Two connectors have the same code.')
  const texts = new Map<string, string>()
  const read = (connector: Connector, name: string, otherwise: string): string => {
    const path = join(FOLDER, connector.code, name)
    const known = texts.get(path) ?? readIfThere(path) ?? otherwise
    texts.set(path, known)
    return known
  }
  return {
    connectors,
    find: (code) => byCode.get(code),
    readIcon: (connector) => read(connector, 'icon.svg', PLAIN_ICON),
    readDocumentation: (connector) => read(connector, 'README.md', connector.summary),
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

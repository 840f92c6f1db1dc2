const DEFAULT_PORT = 5432
const PARTS = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)(?<hosts>[^/?#@]*)(?<after>(?:[/?#].*)?)$/is
const SESSION_ATTRIBUTES = 'target_session_attrs'
/** Stands for the hosts where one address of the web's form is needed. */
const ANY_HOST = 'hosts.invalid'

interface Parts {
  readonly before: string
  readonly hosts: readonly string[]
  readonly after: string
}

function splitAddress(address: string): Parts | undefined {
  const { before, hosts, after } = PARTS.exec(address)?.groups ?? {}
  if (before === undefined || hosts === undefined) return undefined
  return { before, hosts: hosts.split(','), after: after ?? '' }
}

const hasSeveral = (parts: Parts | undefined): parts is Parts => parts !== undefined && parts.hosts.length > 1

/** Changes login, database or parameters of an address, however many hosts it names. */
export function editAddress(address: string, edit: (url: URL) => void): string {
  const parts = splitAddress(address)
  const url = new URL(hasSeveral(parts) ? `${parts.before}${ANY_HOST}${parts.after}` : address)
  edit(url)
  return hasSeveral(parts) ? url.href.replace(ANY_HOST, () => parts.hosts.join(',')) : url.href
}

/** One address for each host, as the driver takes them. */
export function listAddresses(address: string): [string, ...string[]] {
  const parts = splitAddress(address)
  const listed = hasSeveral(parts) ? parts.hosts.map((host) => `${parts.before}${host}${parts.after}`) : [address]
  return listed.map(withoutAttributes) as [string, ...string[]]
}

/** The driver would take the parameter for an option of its own. */
function withoutAttributes(address: string): string {
  if (!address.includes(SESSION_ATTRIBUTES)) return address
  const url = new URL(address)
  url.searchParams.delete(SESSION_ATTRIBUTES)
  return url.href
}

export interface ReadAddress {
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly user: string
  readonly database: string
}

export function readAddress(address: string): ReadAddress {
  const [first, ...others] = listAddresses(address).map((other) => new URL(other)) as [URL, ...URL[]]
  return {
    hosts: [first, ...others].map(({ hostname, port }) => ({
      host: decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1'),
      port: Number(port || DEFAULT_PORT),
    })),
    user: decodeURIComponent(first.username),
    database: decodeURIComponent(first.pathname.slice(1)),
  }
}

const FORM = 'must look like postgres://user:password@host:5432/database, with several hosts as host1:5432,host2:5432'
/** The accepted target_session_attrs for the address of a primary and of a read replica. */
const ATTRIBUTES = {
  primary: new Set(['read-write', 'primary']),
  standby: new Set(['read-only', 'standby', 'prefer-standby', 'any']),
} as const

/** The end of a sentence that begins with the setting's name; undefined if the address can be used. */
export function findAddressProblem(address: string, wanted: keyof typeof ATTRIBUTES = 'primary'): string | undefined {
  const parts = splitAddress(address)
  if (!parts) return FORM
  const { before, hosts, after } = parts
  if (hosts.length > 1 && hosts.includes('')) return FORM
  const urls = hosts.map((host) => `${before}${host}${after}`)
  if (!urls.every((url) => URL.canParse(url))) return FORM
  const given = new URL(urls[0] ?? '').searchParams.get(SESSION_ATTRIBUTES)
  if (given === null || ATTRIBUTES[wanted].has(given)) return undefined
  return `must not have ${SESSION_ATTRIBUTES}=${given}: use ${[...ATTRIBUTES[wanted]].join(' or ')}, or leave it out`
}

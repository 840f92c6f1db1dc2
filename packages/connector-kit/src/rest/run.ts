import type { RestManifest, RestRequest, RestStream } from '@trellis/contract/integrations/rest-manifest'
import { ConnectorError } from '../connector-error.ts'
import type { ConnectorContext } from '../context.ts'
import type { Attempt, CallRules } from '../http/call.ts'
import { classifyByRules } from './error-rules.ts'
import { toBase64 } from './filters.ts'
import type { PagePart } from './paginate.ts'
import { type Scope, evaluateBase, evaluateJson, evaluatePath, evaluateText, listDerivedSecrets } from './scope.ts'

export interface Run {
  readonly context: ConnectorContext
  readonly manifest: RestManifest
  readonly platform: string
  readonly scope: Scope
  readonly secrets: readonly string[]
  readonly rules: CallRules
}

export interface RunOptions {
  readonly platform: string
  readonly config?: Readonly<Record<string, unknown>>
  readonly query?: Scope['query']
  readonly baseUrl?: string | undefined
  readonly secretValues?: readonly string[]
  readonly tokenHeaders?: ((token: string) => Record<string, string>) | undefined
  readonly maxAttempts?: number | undefined
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined
}

export function startRun(context: ConnectorContext, manifest: RestManifest, options: RunOptions): Run {
  const { platform, config = {}, query = {}, baseUrl } = options
  const scope: Scope = {
    config,
    query,
    values: context.values,
    host: context.getHost,
    now: context.now(),
  }
  const secrets = listSecrets(manifest, scope, options.secretValues)
  const isConsent = manifest.auth.type === 'oauth'
  const rules: CallRules = {
    platform,
    secrets,
    budget: manifest.budget,
    judge: classifyByRules(manifest.errors ?? [], { platform, isConsent }),
    withToken: isConsent ? (options.tokenHeaders ?? bearerHeaders) : undefined,
    maxAttempts: options.maxAttempts,
    onAttempt: options.onAttempt,
  }
  return { context, manifest: baseUrl ? { ...manifest, base_url: baseUrl } : manifest, platform, scope, secrets, rules }
}

const bearerHeaders = (token: string) => ({ authorization: `Bearer ${token}` })

function listSecrets(manifest: RestManifest, scope: Scope, secretValues: readonly string[] = []): string[] {
  const inputs = manifest.inputs.filter(({ is_secret }) => is_secret).map(({ reference }) => reference)
  const settings = secretValues.map((name) => {
    const [section = '', element = ''] = name.split('.')
    return scope.values[section]?.[element]
  })
  return [
    ...inputs.map((name) => scope.config[name]),
    ...settings,
    ...listDerivedSecrets(inputs, manifest, scope),
  ].filter((value): value is string => typeof value === 'string' && value !== '')
}

export interface OutboundRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body?: string
}

export function buildRequest(
  run: Run,
  request: RestRequest,
  { scope, page }: { scope: Scope; page: PagePart },
): OutboundRequest {
  const { manifest } = run
  const base = getBaseUrl(run)
  const address = page.address === undefined ? undefined : assertSameOrigin(run, page.address, base)
  const url = address ?? new URL(joinUrl(base, evaluatePath(request.path, scope)))
  if (!address) {
    for (const [name, text] of Object.entries(request.query ?? {})) put(url, name, evaluateText(text, scope))
  }
  for (const [name, text] of Object.entries(page.query ?? {})) put(url, name, text)
  const headers: Record<string, string> = { accept: 'application/json' }
  for (const [name, text] of Object.entries({ ...manifest.headers, ...request.headers })) {
    const value = evaluateText(text, scope)
    if (value !== '') headers[name.toLowerCase()] = value
  }
  authorise(run, url, headers)
  const method = request.method ?? 'GET'
  if (method === 'GET' || (request.body === undefined && page.body === undefined)) {
    return { method, url: url.href, headers }
  }
  const body = { ...(evaluateJson(request.body ?? {}, scope) as object), ...page.body }
  return {
    method,
    url: url.href,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

function getBaseUrl({ manifest, scope }: Pick<Run, 'manifest' | 'scope'>): string {
  const base = evaluateBase(manifest.base_url, scope)
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
    throw new ConnectorError('configuration', `"${base}" is not the address of an API.`, {
      advice: 'Enter an address that begins with https://.',
    })
  }
  return base.replace(/\/+$/, '')
}

const joinUrl = (base: string, path: string) => (path === '' ? base : `${base}/${path.replace(/^\/+/, '')}`)

function put(url: URL, name: string, value: string): void {
  if (value !== '') url.searchParams.set(name, value)
}

/** A next-page link to another host would receive the credentials. */
function assertSameOrigin({ platform }: Run, address: string, base: string): URL {
  const url = new URL(address, `${base}/`)
  if (url.origin === new URL(base).origin) return url
  throw new ConnectorError('configuration', `${platform} names a next page on another host, ${url.host}.`, {
    advice: 'Credentials are sent only to the host of the source. Use that host as its address.',
  })
}

function authorise({ manifest: { auth }, scope }: Run, url: URL, headers: Record<string, string>): void {
  switch (auth.type) {
    case 'none':
    case 'oauth':
      return
    case 'bearer':
      headers['authorization'] = `Bearer ${evaluateText(auth.token, scope)}`
      return
    case 'basic': {
      const [name, word] = [evaluateText(auth.username, scope), evaluateText(auth.password, scope)]
      headers['authorization'] = `Basic ${toBase64(`${name}:${word}`)}`
      return
    }
    case 'api_key': {
      const value = evaluateText(auth.value, scope)
      if (auth.in === 'query') url.searchParams.set(auth.name, value)
      else headers[auth.name.toLowerCase()] = value
    }
  }
}

/** Removes credentials from an address before it is stored or shown. */
export function removeUrlSecrets({ manifest: { auth }, secrets }: Run, address: string): string {
  const isRelative = !URL.canParse(address)
  const url = new URL(address, 'http://relative.invalid')
  for (const [name, value] of url.searchParams) {
    const isAuth = auth.type === 'api_key' && auth.in === 'query' && auth.name === name
    if (isAuth || secrets.includes(value) || name === 'access_token') url.searchParams.delete(name)
  }
  return isRelative ? `${url.pathname}${url.search}` : url.href
}

export function getStream({ streams }: RestManifest, name: string): RestStream {
  const stream = streams.find((candidate) => candidate.name === name)
  if (stream) return stream
  throw new ConnectorError('configuration', `There is no "${name}" to read here.`, {
    advice: `Choose one of: ${streams.map((other) => other.name).join(', ')}.`,
  })
}

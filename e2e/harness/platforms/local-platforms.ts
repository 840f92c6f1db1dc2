import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createSigningPlatform } from '../../../apps/server/src/modules/integrations/testing/signing-platforms.ts'

export { CLIENT } from '../../../apps/server/src/modules/integrations/testing/signing-platforms.ts'

export interface LocalPlatforms {
  readonly url: string
  readonly settings: Record<string, string>
  stop(): Promise<void>
}

export async function startLocalPlatforms(port: number): Promise<LocalPlatforms> {
  const address = `http://127.0.0.1:${port}`
  const platform = createSigningPlatform()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const url = new URL(request.url ?? '/', address)
    if (url.pathname.endsWith('/oauth/authorize') && !url.searchParams.has('allowed')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(askForConsent(url))
      return
    }
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
    const body = chunks.length > 0 ? Buffer.concat(chunks).toString() : null
    const answer = await platform.answer(new Request(url, { method: request.method ?? 'GET', headers, body }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: address,
    settings: {
      E2E_PLATFORMS: address,
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'use-local-platforms.ts')).href}`,
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function askForConsent(url: URL): string {
  const allow = new URL(url)
  allow.searchParams.set('allowed', 'yes')
  const refuse = new URL(url.searchParams.get('redirect_uri') ?? url)
  refuse.searchParams.set('state', url.searchParams.get('state') ?? '')
  refuse.searchParams.set('error', 'access_denied')
  const link = (target: URL, text: string) => `<a href="${target.href.replaceAll('&', '&amp;')}">${text}</a>`
  return `<!doctype html><title>Consent</title><p>${link(allow, 'Allow access')} ${link(refuse, 'Refuse')}</p>`
}

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../platform/config.ts'
import {
  contentSecurityPolicy,
  SPARK_FRAME_HEADERS,
  SPARK_FRAME_PATH,
  sparkFramePolicy,
  WORKER_POLICY,
} from './security-headers.ts'
import { addressNotFoundError, sendError } from './wire-error.ts'

interface Pages {
  byPath: Map<string, string>
  app: string
  sparkFrame: string
}

async function readPages(folder: string): Promise<Pages> {
  const list = JSON.parse(await readFile(join(folder, 'pages.json'), 'utf8')) as {
    pages: Record<string, string>
    app: string
    sparkFrame: string
  }
  const entries = Object.entries(list.pages).map(
    async ([path, file]) => [path, await readFile(join(folder, file), 'utf8')] as const,
  )
  return {
    byPath: new Map(await Promise.all(entries)),
    app: await readFile(join(folder, list.app), 'utf8'),
    sparkFrame: await readFile(join(folder, list.sparkFrame), 'utf8'),
  }
}

/** Hashed files are cached for a year, pages never, as they have a nonce. */
export async function mountWeb(app: FastifyInstance, options: { folder: string; config: Config }): Promise<void> {
  const { folder, config } = options
  const pages = await readPages(folder)
  const web = { pages, head: metaTags(config), publicHost: new URL(config.publicUrl).host }
  await app.register(staticFiles, {
    root: folder,
    serve: true,
    wildcard: true,
    prefix: '/',
    index: false,
    preCompressed: true,
    maxAge: 0,
    allowedPath: (path) => !path.endsWith('.html') && !path.startsWith('/.') && path !== '/pages.json',
    setHeaders: (reply, path) => {
      const isHashed = /[\\/]assets[\\/]/.test(path)
      void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300')
      if (/\.js(\.br|\.gz)?$/.test(path)) void reply.header('content-security-policy', WORKER_POLICY)
      // Requested from an opaque origin.
      if (SPARK_FRAME_SCRIPT.test(path)) void reply.header('cross-origin-resource-policy', 'cross-origin')
    },
    decorateReply: false,
  })
  app.setNotFoundHandler((request, reply) => sendPage(web, request, reply))
  for (const path of pages.byPath.keys()) app.get(path, (request, reply) => sendPage(web, request, reply))
  app.get(SPARK_FRAME_PATH, (_request, reply) => sendSparkFrame(pages.sparkFrame, reply))
}

const SPARK_FRAME_SCRIPT = /[\\/]spark-frame-[\w-]+\.js(\.br|\.gz)?$/

function sendSparkFrame(html: string, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(18).toString('base64')
  return reply
    .code(200)
    .type('text/html; charset=utf-8')
    .headers({
      ...SPARK_FRAME_HEADERS,
      'cache-control': 'no-store',
      'content-security-policy': sparkFramePolicy(nonce),
    })
    .send(html.replaceAll('__CSP_NONCE__', nonce))
}

interface Web {
  pages: Pages
  head: string
  publicHost: string
}

function sendPage(web: Web, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.replace(/[?#].*$/s, '')
  const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|auth|assets)(\/|$)/.test(path)
  if (!isPage) return sendError(addressNotFoundError(), request, reply)
  const nonce = randomBytes(18).toString('base64')
  const html = web.pages.byPath.get(path) ?? web.pages.app
  return reply
    .code(200)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', contentSecurityPolicy(nonce, [request.host, web.publicHost]))
    .send(html.replace('<head>', `<head>${web.head}`).replaceAll('__CSP_NONCE__', nonce))
}

function metaTags(config: Config): string {
  const tags: Record<string, string | undefined> = {
    'trellis-mailbox': config.smtpUrl ? undefined : '/mailbox',
    'trellis-report-dsn': config.reportDsn,
    'trellis-support': config.supportEmail,
    'trellis-payment-sandbox': config.stripe ? undefined : 'yes',
    'trellis-sso': config.oidc?.name,
    'trellis-terms-url': config.links.terms,
    'trellis-privacy-url': config.links.privacy,
    'trellis-community-url': config.links.community,
    'trellis-booking-url': config.links.booking,
  }
  return Object.entries(tags)
    .filter(([, content]) => content !== undefined)
    .map(([name, content]) => `<meta name="${name}" content="${escapeAttribute(content ?? '')}">`)
    .join('')
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

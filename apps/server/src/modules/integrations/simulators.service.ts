import { simulate } from '@trellis/connector-kit/simulate'
import { AppError } from '../../platform/app-error.ts'
import type { BaseCtx } from '../../platform/ctx.ts'
import { SIMULATORS_PATH, canBeSimulated, redirectUrl } from './platforms.ts'

export interface PageRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly search: string
  readonly contentType: string | undefined
  readonly body: string
}

export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const simulatorNotFoundError = () => new AppError('not_found', 'There is nothing at this address.')
const leadsElsewhere = () =>
  new AppError('invalid_request', 'The simulated platform sends the browser back to this Trellis only.')
const MAX_BYTES = 256 * 1024

/** Serves the consent page only, without cookies or sign-in, and with redirects back to this product only. */
export async function answerSimulatorPage(
  ctx: Pick<BaseCtx, 'ports' | 'clock'>,
  page: PageRequest,
): Promise<PageAnswer> {
  const [, platform = '', host = ''] = page.path.split('/')
  const connector = ctx.ports.platforms.find(platform)
  if (!connector?.simulator || !canBeSimulated(ctx, connector) || connector.oauth?.authorize.host !== host) {
    throw simulatorNotFoundError()
  }
  const base = `${ctx.ports.config.publicUrl}${SIMULATORS_PATH}/${platform}/${host}`
  const own = `${ctx.ports.config.publicUrl}${SIMULATORS_PATH}${page.path}${page.search}`
  // Anyone can craft a link to this page, so it must not be an open redirect.
  const asked = new URL(own).searchParams.getAll('redirect_uri')
  if (asked.some((address) => address !== redirectUrl(ctx))) throw leadsElsewhere()
  const request = new Request(own, {
    method: page.method,
    headers: { accept: 'text/html', ...(page.contentType !== undefined && { 'content-type': page.contentType }) },
    ...(page.method === 'POST' && { body: page.body }),
  })
  const answer = await simulate(connector.simulator, request, { host, base, now: ctx.clock.now() })
  const location = answer.headers.get('location')
  if (location !== null) {
    const target = new URL(location, own).href
    if (!leadsBack(target, redirectUrl(ctx)) && !leadsBack(target, base)) {
      throw leadsElsewhere()
    }
    return { status: answer.status, headers: { location: target }, body: '' }
  }
  const body = (await answer.text()).slice(0, MAX_BYTES)
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
  return {
    status: answer.status,
    headers: { 'content-type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8` },
    body,
  }
}

const leadsBack = (target: string, to: string) => target.startsWith(to) && /^($|[/?#])/.test(target.slice(to.length))

export { SIMULATORS_PATH } from './platforms.ts'

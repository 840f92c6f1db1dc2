import type { BrowserContext } from '@playwright/test'
import { allEndpoints } from '@trellis/contract/all-endpoints'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'

const limitMs = Number(process.env['TRELLIS_LATE_ANSWERS_MS'] ?? 0)

/** Streamed responses can't be delayed as a whole. */
const streams = allEndpoints
  .filter(({ sends }) => sends !== 'json')
  .map((endpoint) => toPattern(toEndpointUrl(endpoint)))

/**
 * `TRELLIS_LATE_ANSWERS_MS` delays every API response by a random time, so that responses overtake each other: it finds
 * races that a quiet machine shows once in hundreds of runs.
 */
export async function delayAnswers(context: BrowserContext): Promise<void> {
  if (limitMs === 0) return
  await context.route(/\/api\//, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (streams.some((stream) => stream.test(pathname))) return await route.continue()
    try {
      const response = await route.fetch({ maxRedirects: 0 })
      await new Promise((resolve) => setTimeout(resolve, Math.random() ** 3 * limitMs))
      await route.fulfill({ response })
    } catch {
      // The page was left or aborted the request.
      await route.abort().catch(() => undefined)
    }
  })
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
}

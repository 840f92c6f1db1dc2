import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'

/** A retry would fail the same way; less must be requested at once. */
export class TooLarge extends ConnectorError {
  constructor(cause: unknown) {
    super('configuration', 'The answer is larger than can be taken at once.', { cause })
    this.name = 'TooLarge'
  }
}

/** Requests beyond the size limit fail with `TooLarge` instead of being retried. */
export function withSizeErrors(context: ConnectorContext): ConnectorContext {
  return {
    ...context,
    async fetch(url, init) {
      try {
        const response = await context.fetch(url, init)
        const body = await response.arrayBuffer()
        return new Response(body.byteLength === 0 ? null : body, { status: response.status, headers: response.headers })
      } catch (error) {
        if ((error as { code?: unknown }).code === 'too_large') throw new TooLarge(error)
        throw error
      }
    },
  }
}

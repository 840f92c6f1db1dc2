import type { Simulator } from '../connector.ts'

/** Which requests fail: their numbers from 0, or all for which the function returns true. */
export interface Fault {
  readonly on: readonly number[] | 'every' | ((request: Request, number: number) => boolean)
  readonly answer: FaultAnswer
}

export type FaultAnswer =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
    }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'changed'; readonly change: (body: unknown) => unknown }
  | { readonly kind: 'hangs' }

export function withFaults(simulator: Simulator, faults: readonly Fault[]): Simulator {
  let count = 0
  return async (request, host) => {
    const number = count++
    const fault = faults.find(({ on }) => isHit(on, request, number))
    return fault ? toResponse(fault.answer, () => simulator(request, host), request.signal) : simulator(request, host)
  }
}

function isHit(on: Fault['on'], request: Request, number: number): boolean {
  if (on === 'every') return true
  return typeof on === 'function' ? on(request, number) : on.includes(number)
}

async function toResponse(answer: FaultAnswer, real: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  switch (answer.kind) {
    case 'status':
      return new Response(answer.body ?? `{"error":"injected ${answer.status}"}`, {
        status: answer.status,
        headers: { 'content-type': 'application/json', ...answer.headers },
      })
    case 'dropped':
      throw dropped()
    case 'cut':
      return cutShort(await real())
    case 'changed':
      return changed(await real(), answer.change)
    case 'hangs':
      return new Promise((_resolve, reject) => {
        const stop = () => reject(signal.reason as Error)
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop, { once: true })
      })
  }
}

async function cutShort(response: Response): Promise<Response> {
  const whole = new Uint8Array(await response.arrayBuffer())
  let isSent = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent) controller.error(dropped())
      else controller.enqueue(whole.slice(0, Math.max(1, Math.floor(whole.length / 2))))
      isSent = true
    },
  })
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(body, { status: response.status, headers })
}

async function changed(response: Response, change: (body: unknown) => unknown): Promise<Response> {
  const text = await response.text()
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const isJson = headers.get('content-type')?.includes('json') ?? false
  const body = isJson ? JSON.stringify(change(JSON.parse(text))) : text
  return new Response(body, { status: response.status, headers })
}

const dropped = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) })

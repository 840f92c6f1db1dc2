import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { vi } from 'vitest'
import { createQueryClient } from '../api/query-client.ts'
import { storeToken } from '../api/token-store.ts'
import { routes } from '../app/router.tsx'
import { storeAccounts, storeProfile } from '../app/session/stored-data.ts'
import { showToast } from '../ui/feedback/toasts.ts'
import { answerFrom } from './fake-api.ts'
import { createWorld, type FakeWorld } from './fake-world.ts'
import { fakeXhr } from './fake-xhr.ts'

/** Only the network is replaced. */
export function connect(world: FakeWorld): void {
  vi.stubGlobal('XMLHttpRequest', fakeXhr(world))
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    const method = init.method ?? (input instanceof Request ? input.method : 'GET')
    const body = input instanceof Request ? await input.text() : typeof init.body === 'string' ? init.body : ''
    const answer = answerFrom(world, { method, url, body })
    await answer.after
    if (answer.events) return eventStream(world, answer.events, init.signal)
    return Response.json(answer.body, { status: answer.status })
  })
}

function eventStream(world: FakeWorld, first: readonly unknown[], signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const tell = (event: unknown) =>
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`))
      for (const event of first) tell(event)
      world.runs.listeners.add(tell)
      signal?.addEventListener('abort', () => {
        if (world.runs.listeners.delete(tell)) controller.error(signal.reason)
      })
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

export function openApp(path: string, change: Partial<FakeWorld> = {}) {
  const world = createWorld(change)
  connect(world)
  storeToken({ access_token: 'fake-token', email: world.profile.email })
  storeProfile(world.profile)
  storeAccounts(world.accounts)
  const client = createQueryClient({
    toast: (tone, text) => showToast({ tone: tone === 'error' ? 'danger' : tone, text }),
    onSignedOut: () => undefined,
  })
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  const view = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { world, router, view, user: userEvent.setup() }
}

import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, useContext, type ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { createQueryClient } from '../../api/query-client.ts'
import { storeAccounts } from '../../app/session/stored-data.ts'
import { createWorld, type FakeWorld } from '../fake-world.ts'
import { connect } from '../render-app.tsx'

const Part = createContext<ReactNode>(null)

const ShownPart = () => useContext(Part)

export function surroundPart(change: Partial<FakeWorld> = {}) {
  const world = createWorld(change)
  connect(world)
  storeAccounts(world.accounts)
  const client = createQueryClient({ toast: () => undefined, onSignedOut: () => undefined })
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  const router = createMemoryRouter(
    [
      { path: '/:account/:workspace', Component: ShownPart },
      { path: '*', element: null },
    ],
    { initialEntries: ['/northwind/growth'] },
  )
  const Surroundings = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <Part value={children}>
        <RouterProvider router={router} />
      </Part>
    </QueryClientProvider>
  )
  return { world, router, Surroundings }
}

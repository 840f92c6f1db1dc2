import type { Forma } from '@trellis/contract/formas/forma'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createQueryClient } from '../../api/query-client.ts'
import { storeToken } from '../../api/token-store.ts'
import { createWorld } from '../../testing/fake-world.ts'
import { connect } from '../../testing/render-app.tsx'
import { FormaFields } from '../FormaFields.tsx'
import { SurroundingsProvider, type FormaContext } from '../surroundings.ts'
import { canSend, useForma, type FormaForm } from '../use-forma.ts'

interface Shown {
  kept?: Parameters<typeof useForma>[1]
  around?: Partial<FormaContext>
}

export function showForma(forma: Forma, { kept = {}, around = {} }: Shown = {}) {
  const world = createWorld()
  connect(world)
  storeToken({ access_token: 'fake-token', email: world.profile.email })
  const client = createQueryClient({ toast: () => undefined, onSignedOut: () => undefined })
  const seen: { form?: FormaForm } = {}
  const surroundings = {
    address: { account_trellis_code: 'northwind', workspace_address: 'growth' },
    integration: 'i-shop',
    ...around,
  }
  function Screen() {
    const form = useForma(forma, kept)
    seen.form = form
    return (
      <SurroundingsProvider value={surroundings}>
        <FormaFields form={form} />
        <button type="button" disabled={!canSend(form, { isBusy: false })}>
          Send
        </button>
      </SurroundingsProvider>
    )
  }
  render(
    <QueryClientProvider client={client}>
      <Screen />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), values: () => seen.form?.values ?? {}, form: () => seen.form }
}

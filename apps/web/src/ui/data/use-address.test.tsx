import { render, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { useAddress, type Address } from './use-address.ts'

it('changes what the address holds now, also for who has not been drawn since', async () => {
  let first: Address | undefined
  const Screen = () => {
    const address = useAddress()
    first ??= address
    return null
  }
  const router = createMemoryRouter([{ path: '/', element: <Screen /> }], { initialEntries: ['/?show=failing&q=a'] })
  render(<RouterProvider router={router} />)
  first?.put({ show: null })
  await waitFor(() => expect(router.state.location.search).toBe('?q=a'))
  first?.put({ q: 'ab' })
  await waitFor(() => expect(router.state.location.search).toBe('?q=ab'))
})

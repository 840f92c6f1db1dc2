import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../testing/render-app.tsx'
import { account } from '../../testing/fake-world.ts'

test('the title, the crumb and the sidebar say where one is', async () => {
  openApp('/profile/password')
  await screen.findByRole('button', { name: 'Change password' })
  expect(document.title).toBe('Password · Profile settings · Trellis')
  const crumbs = screen.getByRole('navigation', { name: 'Breadcrumb' })
  expect(within(crumbs).getByText('Password').getAttribute('aria-current')).toBe('page')
  expect(within(crumbs).getByRole('link', { name: 'Profile settings' })).toBeTruthy()
})

test('profile settings in the menu need an account with a workspace', async () => {
  const { user, router } = openApp('/workspaces', { accounts: [account('Northwind', [])] })
  await user.click(await screen.findByRole('button', { name: /Profile menu/ }))
  const item = () => screen.getByRole('menuitem', { name: /Profile settings/ })
  await waitFor(() => expect(item().getAttribute('aria-disabled')).toBe('true'))
  await user.click(item())
  expect(router.state.location.pathname).toBe('/workspaces')
})

test('with a workspace the menu opens them, by mouse or keys', async () => {
  const { user, router } = openApp('/workspaces')
  await screen.findByText('Growth')
  const button = screen.getByRole('button', { name: /Profile menu/ })
  button.focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('Profile settings')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/settings'))
})

test('the theme changes at once and is kept in the profile', async () => {
  const { user, world } = openApp('/workspaces')
  await user.click(await screen.findByRole('button', { name: 'Switch to the dark theme' }))
  expect(document.documentElement.dataset['theme']).toBe('dark')
  await waitFor(() => expect(world.profile.preferences.themeMode).toBe('dark'))
  expect(localStorage.getItem('trellis.profile')).toContain('"themeMode":"dark"')
})

test('a theme the server refuses is taken back', async () => {
  const { user } = openApp('/workspaces', { broken: new Set(['updateProfile']) })
  await user.click(await screen.findByRole('button', { name: 'Switch to the dark theme' }))
  expect(await screen.findByText('The theme could not be saved. Please try again.')).toBeTruthy()
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('light'))
})

test('Ctrl-B folds the sidebar and the browser remembers', async () => {
  const { user } = openApp('/workspaces')
  const sidebar = await screen.findByRole('navigation', { name: 'Main' })
  await user.keyboard('{Control>}b{/Control}')
  expect(sidebar.dataset['collapsed']).toBe('true')
  expect(localStorage.getItem('trellis.sidebar')).toBe('collapsed')
})

test('the palette finds a page and goes there; a question mark shows the keys', async () => {
  const { user, router } = openApp('/workspaces')
  await screen.findByRole('heading', { name: 'Workspaces' })
  await user.keyboard('?')
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.keyboard('{Control>}k{/Control}')
  const input = await screen.findByPlaceholderText('Search pages and commands')
  await user.type(input, 'passw{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/password'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('G then W goes to the workspaces, unless one is typing', async () => {
  const { user, router } = openApp('/profile/settings')
  await user.type(await screen.findByLabelText('First name'), 'gw')
  expect(router.state.location.pathname).toBe('/profile/settings')
  screen.getByLabelText('First name').blur()
  await user.keyboard('gw')
  await waitFor(() => expect(router.state.location.pathname).toBe('/workspaces'))
})

test('logging out tells the server and forgets everything', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const { user, world } = openApp('/workspaces')
  await user.click(await screen.findByRole('button', { name: /Profile menu/ }))
  await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
  expect(world.isSignedIn).toBe(false)
  expect(localStorage.getItem('trellis.profile')).toBeNull()
  assign.mockRestore()
  // A page is left once; files that come behind this one begin with another.
  vi.resetModules()
})

test('an unknown page is told as such', async () => {
  openApp('/northwind/growth/nowhere')
  expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeTruthy()
})

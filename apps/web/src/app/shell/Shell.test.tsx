import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../testing/render-app.tsx'
import { account } from '../../testing/fake-world.ts'

test('the title, the crumb and the sidebar say where one is', async () => {
  openApp('/profile/password')
  await screen.findByRole('button', { name: 'Change password' })
  await waitFor(() => expect(document.title).toBe('Password · Profile settings · Trellis'))
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

test.each([
  ['refused by the server is taken back', () => Promise.resolve(Response.json({}, { status: 503 })), 'light'],
  ['cut by leaving the page stays', () => Promise.reject(new TypeError('Failed to fetch')), 'dark'],
])('a theme %s', async (_, answerPatch, stored) => {
  const { user } = openApp('/workspaces')
  const answer = fetch
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
    init?.method === 'PATCH' ? answerPatch() : answer(input, init),
  )
  await user.click(await screen.findByRole('button', { name: 'Switch to the dark theme' }))
  await screen.findByText('The theme could not be saved. Please try again.')
  expect(localStorage.getItem('trellis.profile')).toContain(`"themeMode":"${stored}"`)
})

/** A system theme that can change. */
function stubSystemTheme(isDark: boolean) {
  const media = Object.assign(new EventTarget(), { matches: isDark })
  vi.stubGlobal('matchMedia', (query: string) =>
    query.includes('prefers-color-scheme') ? media : Object.assign(new EventTarget(), { matches: false }),
  )
  return (isDarkNow: boolean) => {
    media.matches = isDarkNow
    act(() => void media.dispatchEvent(new Event('change')))
  }
}
const theme = () => document.documentElement.dataset['theme']

test('until a theme is chosen the system decides, also when it changes', async () => {
  const change = stubSystemTheme(true)
  const { user } = openApp('/workspaces')
  await screen.findByRole('button', { name: 'Switch to the light theme' })
  expect(theme()).toBe('dark')
  change(false)
  await waitFor(() => expect(theme()).toBe('light'))
  change(true)
  await user.click(await screen.findByRole('button', { name: 'Switch to the light theme' }))
  expect(theme()).toBe('light')
  change(false)
  change(true)
  expect(theme()).toBe('light')
})

test('saving a name is no choice of a theme', async () => {
  const change = stubSystemTheme(true)
  const { user, world } = openApp('/profile/settings')
  await user.type(await screen.findByLabelText('First name'), 'x')
  expect(screen.getByLabelText<HTMLSelectElement>('Theme').value).toBe('dark')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText('Changes successfully saved.')).toBeTruthy()
  expect(world.profile).toMatchObject({ preferences: { themeMode: 'light' }, flags: {} })
  change(false)
  expect(theme()).toBe('light')
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

test('the account is one click away in a workspace, which stays in view', async () => {
  const { user, router } = openApp('/northwind/growth/dashboard')
  const sidebar = within(await screen.findByRole('navigation', { name: 'Main' }))
  const section = within(await sidebar.findByRole('group', { name: 'Account Northwind' }))
  await user.click(section.getByRole('link', { name: 'Members' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/settings'))
  expect(router.state.location.search).toBe('?tab=members')
  await waitFor(() => expect(section.getByRole('link', { name: 'Members' }).getAttribute('aria-current')).toBe('page'))
  expect(sidebar.getByRole('button', { name: /Growth/ })).toBeTruthy()
  expect(sidebar.getByRole('link', { name: 'Dataflows' }).getAttribute('href')).toBe('/northwind/growth/dataflows')
})

test('with partial access only what may be seen of the account is there', async () => {
  openApp('/northwind/growth/dashboard', { accounts: [{ ...account('Northwind', ['Growth']), role: 'account_view' }] })
  const section = within(await screen.findByRole('group', { name: 'Account Northwind' }))
  const links = section.getAllByRole('link').map(({ textContent }) => textContent)
  expect(links).toEqual(['Account settings', 'Members', 'Plan & Utilization', 'AI model'])
})

test('the palette finds the invoices by the word people type', async () => {
  const { user, router } = openApp('/northwind/growth/dashboard')
  await screen.findByRole('group', { name: 'Account Northwind' })
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByPlaceholderText('Search pages, tables, worksheets and commands'), 'invoice{Enter}')
  await waitFor(() => expect(router.state.location.search).toBe('?tab=billing'))
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
  // A page is left once per load: each test imports the module anew.
  vi.resetModules()
})

test('an unknown page is told as such', async () => {
  openApp('/northwind/growth/nowhere')
  expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeTruthy()
})

const main = () => screen.getByRole('main')

test('the focus moves to the content when what had it is gone with the page before, not on the first page', async () => {
  const { user, router } = openApp('/northwind/growth/sparks')
  const link = await screen.findByRole('link', { name: /Orders/ })
  expect(document.activeElement).toBe(document.body)
  link.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/growth/sparks/orders'))
  await waitFor(() => expect(document.activeElement).toBe(main()))
})

test('a link that is still there keeps the focus', async () => {
  const { user, router } = openApp('/northwind/growth/dashboard')
  const link = await screen.findByRole('link', { name: 'Dataflows' })
  await user.click(link)
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/growth/dataflows'))
  await screen.findByRole('heading', { name: 'Dataflows' })
  expect(document.activeElement).toBe(link)
})

test('the palette gives the focus to the content of the page it led to', async () => {
  const { user, router } = openApp('/northwind/growth/sparks')
  const link = await screen.findByRole('link', { name: /Orders/ })
  link.focus()
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByPlaceholderText(/^Search pages/), 'passw{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/password'))
  await waitFor(() => expect(document.activeElement).toBe(main()))
})

test('a dialog that the new page opens keeps the focus', async () => {
  const { router } = openApp('/northwind/growth/sparks')
  const link = await screen.findByRole('link', { name: /Orders/ })
  link.focus()
  await act(() => router.navigate('/northwind/growth/ai/projects?new=1'))
  const dialog = within(await screen.findByRole('dialog', { name: 'New AI project' }))
  await screen.findByRole('link', { name: /Sales/, hidden: true })
  expect(document.activeElement).toBe(dialog.getByLabelText('Name'))
})

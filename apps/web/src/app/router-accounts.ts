import { createElement } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { page } from './router-page.ts'

export const ownRoutes: RouteObject[] = [
  page({
    path: '/create-account',
    handle: { title: 'Create account', back: '/workspaces' },
    lazy: () => import('../features/accounts/CreateAccountPage.tsx'),
  }),
  page({
    path: '/deactivated-account',
    handle: { title: 'Account deactivated' },
    lazy: () => import('../features/accounts/DeactivatedAccountPage.tsx'),
  }),
  page({
    path: '/account/invite-declined',
    handle: { title: 'Invite declined' },
    lazy: () => import('../features/workspaces/InviteDeclinedPage.tsx'),
  }),
]

export const profileRoutes: RouteObject[] = [
  page({ path: 'invites', handle: { title: 'Invites' }, lazy: () => import('../features/members/InvitesTab.tsx') }),
  page({ path: 'tokens', handle: { title: 'Tokens' }, lazy: () => import('../features/tokens/TokensTab.tsx') }),
]

export const accountRoutes: RouteObject[] = [
  { index: true, element: createElement(Navigate, { to: '/workspaces', replace: true }) },
  page({
    path: 'settings/:tab?',
    handle: { title: 'Account settings', back: '/workspaces' },
    lazy: () => import('../features/accounts/AccountSettingsPage.tsx'),
  }),
  page({
    path: 'create-workspace',
    handle: { title: 'Create workspace', back: '/workspaces' },
    lazy: () => import('../features/workspaces/create/CreateWorkspacePage.tsx'),
  }),
]

export const workspaceRoutes: RouteObject[] = [
  { index: true, element: createElement(Navigate, { to: 'dashboard', replace: true }) },
  page({
    path: 'dashboard',
    handle: { title: 'Dashboard' },
    lazy: () => import('../features/workspaces/home/DashboardPage.tsx'),
  }),
  page({
    path: 'settings',
    handle: { title: 'Workspace settings' },
    lazy: () => import('../features/workspaces/WorkspaceSettingsPage.tsx'),
  }),
]

import {
  createBrowserRouter,
  redirect,
  redirectDocument,
  type LoaderFunctionArgs,
  type RouteObject,
} from 'react-router'
import { NotFoundPage, RouteErrorPage } from './errors/ErrorPage.tsx'
import { Root, RootFallback } from './Root.tsx'
import { aiRoutes } from './router-ai.ts'
import { accountRoutes, ownRoutes, profileRoutes, workspaceRoutes } from './router-accounts.ts'
import { sandboxRoutes } from './router-sandbox.ts'
import { accountBillingRoutes, planRoutes, workspaceBillingRoutes } from './router-billing.ts'
import { dataflowRoutes } from './router-dataflows.ts'
import { explorerRoutes } from './router-explorer.ts'
import { integrationsRoutes } from './router-integrations.ts'
import { requireMember, requireSignedIn } from './router-guards.ts'
import { page } from './router-page.ts'
import { sparkRoutes } from './router-sparks.ts'

const entryPath = location.pathname

/** The server renders these pages. If it sent the app for this very path, loading it again would loop. */
function reloadAsDocument({ request }: LoaderFunctionArgs): null {
  if (new URL(request.url).pathname === entryPath) throw new Response(null, { status: 404 })
  throw redirectDocument(request.url)
}

const authRoutes: RouteObject[] = [
  '/',
  '/login',
  '/signup',
  '/activate',
  '/forgot-password',
  '/reset',
  '/sso/callback',
].map((path) => ({ path, loader: reloadAsDocument, Component: NotFoundPage }))

const publicRoutes: RouteObject[] = [
  page({ path: '/mailbox', handle: { title: 'Mailbox' }, lazy: () => import('../features/mailbox/MailboxPage.tsx') }),
  page({
    path: '/docs',
    handle: { title: 'API reference' },
    lazy: () => import('../features/api-reference/ApiReferencePage.tsx'),
  }),
  page({ path: '/design', handle: { title: 'Design' }, lazy: () => import('../ui/gallery/GalleryPage.tsx') }),
]

const notFound = page({ path: '*', handle: { title: 'Not found' }, Component: NotFoundPage })

const signedInRoutes: RouteObject[] = [
  page({
    path: '/workspaces',
    handle: { title: 'Workspaces' },
    lazy: () => import('../features/workspaces/WorkspacesPage.tsx'),
  }),
  page({
    path: '/profile',
    handle: { title: 'Profile settings', back: '/workspaces' },
    lazy: () => import('../features/profile/ProfileLayout.tsx'),
    children: [
      { index: true, loader: () => redirect('/profile/settings') },
      page({ path: 'settings', handle: {}, lazy: () => import('../features/profile/ProfileTab.tsx') }),
      page({
        path: 'password',
        handle: { title: 'Password' },
        lazy: () => import('../features/profile/PasswordTab.tsx'),
      }),
      page({
        path: 'security',
        handle: { title: 'Security' },
        lazy: () => import('../features/profile/SecurityTab.tsx'),
      }),
      ...profileRoutes,
      notFound,
    ],
  }),
  page({
    path: '/profile/authorize',
    handle: { title: 'Connect an agent', back: '/workspaces' },
    lazy: () => import('../features/tokens/AuthorizePage.tsx'),
  }),
  ...ownRoutes,
  ...planRoutes,
  {
    path: '/:account',
    loader: requireMember,
    lazy: () => import('../features/accounts/AccountGate.tsx'),
    children: [
      ...accountRoutes,
      ...accountBillingRoutes,
      {
        path: ':workspace',
        lazy: () => import('../features/workspaces/WorkspaceFrame.tsx'),
        children: [
          ...workspaceRoutes,
          ...explorerRoutes,
          ...integrationsRoutes,
          ...dataflowRoutes,
          ...aiRoutes,
          ...sparkRoutes,
          ...sandboxRoutes,
          ...workspaceBillingRoutes,
          notFound,
        ],
      },
      notFound,
    ],
  },
  notFound,
]

export const routes: RouteObject[] = [
  {
    Component: Root,
    HydrateFallback: RootFallback,
    ErrorBoundary: RouteErrorPage,
    children: [
      ...authRoutes,
      page({
        path: '/initialize-profile',
        handle: { title: 'Signing in' },
        lazy: () => import('../features/identity/InitializeProfilePage.tsx'),
      }),
      { lazy: () => import('./shell/PublicFrame.tsx'), children: publicRoutes },
      {
        loader: requireSignedIn,
        lazy: () => import('./shell/Shell.tsx'),
        children: [{ ErrorBoundary: RouteErrorPage, children: signedInRoutes }],
      },
    ],
  },
]

export function createRouter() {
  return createBrowserRouter(routes)
}

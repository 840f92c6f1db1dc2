import type { RouteObject } from 'react-router'
import { page } from './router-page.ts'

export const integrationsRoutes: RouteObject[] = [
  page({
    path: 'integrations',
    handle: { title: 'Integrations' },
    children: [
      { index: true, lazy: () => import('../features/integrations/list/IntegrationsPage.tsx') },
      page({
        path: 'create',
        handle: { title: 'Connect' },
        lazy: () => import('../features/integrations/catalogue/CataloguePage.tsx'),
      }),
      page({
        path: 'setup/:platform',
        handle: { title: 'Set up' },
        lazy: () => import('../features/integrations/setup/SetupPage.tsx'),
      }),
      page({
        path: 'update/:integration',
        handle: { title: 'Settings' },
        lazy: () => import('../features/integrations/update/UpdatePage.tsx'),
      }),
      page({
        path: 'description/:integration',
        handle: { title: 'Connection' },
        lazy: () => import('../features/integrations/description/DescriptionPage.tsx'),
      }),
    ],
  }),
]

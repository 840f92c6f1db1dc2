import type { RouteObject } from 'react-router'
import { page } from './router-page.ts'

export const sandboxRoutes: RouteObject[] = [
  page({
    path: 'sandbox',
    handle: { title: 'Sandbox' },
    lazy: () => import('../features/sandbox/SandboxPage.tsx'),
  }),
  page({
    path: 'sandbox/ai-core',
    handle: { title: 'Model console' },
    lazy: () => import('../features/sandbox/ModelConsolePage.tsx'),
  }),
]

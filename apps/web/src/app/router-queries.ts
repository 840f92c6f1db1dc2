import type { RouteObject } from 'react-router'
import { page } from './router-page.ts'

export const queriesRoutes: RouteObject[] = [
  page({
    path: 'queries',
    handle: { title: 'Queries' },
    lazy: () => import('../features/sql/QueriesFrame.tsx'),
    children: [
      { index: true, lazy: () => import('../features/sql/running/RunningPage.tsx') },
      page({
        path: 'history',
        handle: { title: 'History' },
        lazy: () => import('../features/sql/history/HistoryPage.tsx'),
      }),
      page({
        path: 'limits',
        handle: { title: 'Limits' },
        lazy: () => import('../features/sql/limits/LimitsPage.tsx'),
      }),
    ],
  }),
]

import type { RouteObject } from 'react-router'
import { page } from './router-page.ts'
import { findBreadcrumbName } from './shell/breadcrumb-names.ts'

export const sparkRoutes: RouteObject[] = [
  page({
    path: 'sparks',
    handle: { title: 'Sparks' },
    children: [
      { index: true, lazy: () => import('../features/sparks/gallery/SparksPage.tsx') },
      page({
        path: 'new',
        handle: { title: 'New spark' },
        lazy: () => import('../features/sparks/new/NewSparkPage.tsx'),
      }),
      page({
        path: ':spark',
        handle: { title: ({ spark }) => findBreadcrumbName(spark) ?? 'Spark' },
        children: [
          { index: true, lazy: () => import('../features/sparks/view/SparkPage.tsx') },
          page({
            path: 'edit',
            handle: { title: 'Edit' },
            lazy: () => import('../features/sparks/edit/SparkEditorPage.tsx'),
          }),
        ],
      }),
    ],
  }),
]

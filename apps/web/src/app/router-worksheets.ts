import type { RouteObject } from 'react-router'
import { page } from './router-page.ts'

export const worksheetRoutes: RouteObject[] = [
  page({
    path: 'worksheets',
    handle: { title: 'Worksheets' },
    children: [
      { index: true, lazy: () => import('../features/worksheets/list/WorksheetsPage.tsx') },
      page({
        path: 'empty',
        handle: {},
        lazy: () => import('../features/worksheets/list/EmptyWorksheetPage.tsx'),
      }),
    ],
  }),
  page({
    path: 'project/:projectId/folder/:folderId/worksheet/:worksheetId/:worksheetName/code-editor',
    handle: { title: ({ worksheetName }) => worksheetName ?? 'Worksheet' },
    lazy: () => import('../features/worksheets/editor/WorksheetPage.tsx'),
  }),
]

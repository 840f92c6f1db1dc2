import { createElement } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { databaseAdminRoutes } from './router-database-admin.ts'
import { page } from './router-page.ts'
import { queriesRoutes } from './router-queries.ts'
import { worksheetRoutes } from './router-worksheets.ts'
import { findBreadcrumbName } from './shell/breadcrumb-names.ts'
import { schemaFilesRoutes, schemaUploadRoutes, tableUploadRoutes } from './router-uploads.ts'

const to = (path: string) => createElement(Navigate, { to: path, replace: true })

const tableRoutes: RouteObject[] = [
  { index: true, element: to('preview') },
  page({ path: 'preview', handle: {}, lazy: () => import('../features/explorer/preview/TablePreviewPage.tsx') }),
  page({
    path: 'details',
    handle: { title: 'Details' },
    lazy: () => import('../features/explorer/table/TableDetailsPage.tsx'),
  }),
  page({
    path: 'description',
    handle: { title: 'Description' },
    lazy: () => import('../features/explorer/description/TableDescriptionPage.tsx'),
  }),
]

const schemaRoutes: RouteObject[] = [
  {
    lazy: () => import('../features/explorer/schema/SchemaFrame.tsx'),
    children: [
      { index: true, lazy: () => import('../features/explorer/schema/SchemaSummaryPage.tsx') },
      page({
        path: 'tables',
        handle: { title: 'Tables' },
        lazy: () => import('../features/explorer/schema/SchemaTablesPage.tsx'),
      }),
      ...schemaFilesRoutes,
    ],
  },
  ...schemaUploadRoutes,
  page({
    path: 'diagram',
    handle: { title: 'Diagram' },
    lazy: () => import('../features/explorer/diagram/DiagramPage.tsx'),
  }),
  page({
    path: 'table/:tableId',
    handle: { title: ({ tableId }) => tableId ?? '' },
    lazy: () => import('../features/explorer/table/TableFrame.tsx'),
    children: tableRoutes,
  }),
  page({
    path: 'table/:tableId',
    handle: { title: ({ tableId }) => tableId ?? '' },
    children: [
      ...tableUploadRoutes,
      page({
        path: 'query',
        handle: { title: 'Query' },
        lazy: () => import('../features/explorer/query/QueryTablePage.tsx'),
      }),
    ],
  }),
]

const databaseRoutes: RouteObject[] = [
  { index: true, lazy: () => import('../features/explorer/database/DatabasePage.tsx') },
  ...databaseAdminRoutes,
  page({ path: 'schema/:schemaId', handle: { title: ({ schemaId }) => schemaId ?? '' }, children: schemaRoutes }),
]

export const explorerRoutes: RouteObject[] = [
  page({
    path: 'explorer',
    handle: { title: 'Explorer' },
    lazy: () => import('../features/explorer/frame/ExplorerFrame.tsx'),
    children: [
      { index: true, element: to('home') },
      page({ path: 'home', handle: {}, lazy: () => import('../features/explorer/home/ExplorerHomePage.tsx') }),
      ...worksheetRoutes,
      ...queriesRoutes,
      page({
        path: 'deleted',
        handle: { title: 'Recently deleted' },
        lazy: () => import('../features/explorer/recycle-bin/RecentlyDeletedPage.tsx'),
      }),
      page({
        path: ':databaseId',
        handle: { title: ({ databaseId }) => findBreadcrumbName(databaseId) ?? 'Database' },
        children: databaseRoutes,
      }),
    ],
  }),
]
